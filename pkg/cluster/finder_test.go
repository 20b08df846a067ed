package cluster

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
)

// parsed is a selector as kubectl takes it; "nothing" matches nothing.
func parsed(t *testing.T, text string) labels.Selector {
	t.Helper()
	if text == "nothing" {
		return labels.Nothing()
	}
	s, err := labels.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFinderTriesWhoAsksForALabelOfTheSet(t *testing.T) {
	var f finder[string]
	all := []string{"app=x", "app=x,tier=t", "tier=t,app in (x,y)", "app in (x)", "app in (x,y)", "app!=x", "app", "!app", "", "nothing", "a>1"}
	for _, text := range all {
		f.add(parsed(t, text), text)
	}
	tried := func(set string) []string {
		parsed, err := labels.ConvertSelectorToLabelsMap(set)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		f.each(parsed, func(text string) { list = append(list, text) })
		slices.Sort(list)
		return list
	}
	expect := func(set string, exact ...string) {
		t.Helper()
		want := append([]string{"", "!app", "a>1", "app", "app in (x,y)", "app!=x", "nothing"}, exact...)
		slices.Sort(want)
		if got := tried(set); !slices.Equal(got, want) {
			t.Errorf("for %q it tries %q, want %q", set, got, want)
		}
	}
	expect("")
	expect("app=x", "app=x", "app=x,tier=t", "app in (x)")
	expect("app=y")
	expect("app=z,tier=t", "tier=t,app in (x,y)")
	expect("app=x,tier=t", "app=x", "app=x,tier=t", "app in (x)", "tier=t,app in (x,y)")

	for i, text := range all { // until it is as new
		f.remove(parsed(t, text), text)
		if got := tried("app=x,tier=t"); slices.Contains(got, text) || len(got) > len(all)-i-1 {
			t.Errorf("without %q it tries %s", text, strings.Join(got, " and "))
		}
	}
	if len(f.exact)+len(f.other) > 0 {
		t.Errorf("at the end it holds %v and %v", f.exact, f.other)
	}
	f.remove(parsed(t, "app=x"), "app=x") // nobody
}

func TestFinderMissesNobodyWhoMatches(t *testing.T) {
	selectors := []string{"app=x", "app in (x,y),tier", "tier=t,app!=y", "!app", "", "tier notin (t)"}
	sets := []labels.Set{{}, {"app": "x"}, {"app": "y", "tier": "t"}, {"app": "x", "tier": "t"}, {"tier": "u"}}
	var f finder[string]
	for _, text := range selectors {
		f.add(parsed(t, text), text)
	}
	for _, set := range sets {
		var tried []string
		f.each(set, func(text string) { tried = append(tried, text) })
		for _, text := range selectors {
			if parsed(t, text).Matches(set) && !slices.Contains(tried, text) {
				t.Errorf("%q matches %v and is not tried", text, set)
			}
		}
	}
}

func TestWithoutTakesOneAway(t *testing.T) {
	f := func(list, item, want string) {
		t.Helper()
		if got := string(without([]byte(list), item[0])); got != want {
			t.Errorf("%s without %s: %s, want %s", list, item, got, want)
		}
	}
	f("abc", "a", "cb")
	f("abc", "c", "ab")
	f("abc", "x", "abc")
	f("aba", "a", "ab")
	f("a", "a", "")
	f("", "a", "")
}
