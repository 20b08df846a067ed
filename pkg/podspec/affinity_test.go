package podspec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func ofWords(words string) *podspec.Pod { return podspec.NewCompiler().Compile(object.PodOf(words)) }

// termText is what a term selects, and by which key.
func termText(t *podspec.Term) string {
	namespaces := strings.Join(t.Namespaces.UnsortedList(), ",")
	if _, some := t.NamespaceSelector.Requirements(); some {
		namespaces += "{" + t.NamespaceSelector.String() + "}"
	}
	selector := t.Selector.String()
	if _, some := t.Selector.Requirements(); !some {
		selector = "nothing"
	}
	return fmt.Sprintf("%s[%s]%s", t.TopologyKey, namespaces, selector)
}

func affinityText(a *podspec.Affinity) string {
	if a == nil {
		return "none"
	}
	var parts []string
	for i := range a.Required {
		parts = append(parts, "near "+termText(&a.Required[i]))
	}
	for i := range a.Anti {
		parts = append(parts, "far "+termText(&a.Anti[i]))
	}
	for i := range a.Preferred {
		parts = append(parts, fmt.Sprintf("%+d %s", a.Preferred[i].Weight, termText(&a.Preferred[i].Term)))
	}
	return strings.Join(parts, "; ")
}

func TestCompileReadsAffinity(t *testing.T) {
	f := func(words, want string) {
		t.Helper()
		p := ofWords(words)
		if got := affinityText(p.Affinity); got != want || p.Affinity != nil && p.Affinity.Err != nil {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
	f("app=x", "none")
	f("near(k app=x)", "near k[default]app=x")
	f("in(other) near(k app=x)", "near k[other]app=x") // its own namespace
	f("near(k)", "near k[default]nothing")
	f("near(k all)", "near k[default]")
	f("near(k app=x ns=a)", "near k[a]app=x")
	f("near(k app=x nsel:team=a)", "near k[{team=a}]app=x") // not its own as well
	f("near(k app=x ns=a nsel:all)", "near k[a{}]app=x")
	f("far(k app!=x) near(l app) far(m !app)", "near l[default]app; far k[default]app notin (x); far m[default]!app")
	f("likes(5 k app=x) dislikes(7 l app=y)", "+5 k[default]app=x; -7 l[default]app=y")
}

func TestPartnersMatchAllTermsAndBlockersOne(t *testing.T) {
	a := ofWords("near(k app=x) near(l tier=t) far(k app=y) far(l app=y)").Affinity
	if len(a.Partners.Terms) != 2 || !a.Partners.Terminating || len(a.Blockers) != 2 || len(a.Blockers[0].Terms) != 1 || !a.Blockers[0].Terminating {
		t.Errorf("partners %+v, blockers %+v", a.Partners, a.Blockers)
	}
	if a.Blockers[0].Key != a.Blockers[1].Key { // one counter for both, whatever the topology key
		t.Errorf("blockers by two keys have selections %q and %q", a.Blockers[0].Key, a.Blockers[1].Key)
	}
	if a.Anti[0].Key == a.Anti[1].Key {
		t.Errorf("terms by two keys are one: %q", a.Anti[0].Key)
	}
	if none := ofWords("far(k app=y)").Affinity.Partners; none.Key != "" {
		t.Errorf("partners without a required term: %+v", none)
	}
}

func TestUnreadableRulesAreToldAndDoNotPanic(t *testing.T) {
	f := func(words, want string) {
		t.Helper()
		p := ofWords(words)
		got := ""
		if p.Affinity != nil && p.Affinity.Err != nil {
			got = p.Affinity.Err.Error()
		}
		if p.Spread != nil && p.Spread.HardErr != nil {
			got = p.Spread.HardErr.Error()
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
	f("near(k app=-)", `requiredAffinityTerms: values[0][app]: Invalid value: "-"`)
	f("far(k nsel:team=-)", `requiredAntiAffinityTerms: values[0][team]: Invalid value: "-"`)
	f("near(k app=x) likes(1 k app=-)", `preferredAffinityTerms: values[0]`)
	f("near(k app=-) dislikes(1 k app=-)", `[requiredAffinityTerms: values`)
	f("spread(1 k app=-)", `values[0][app]: Invalid value: "-"`)
	f("soft(1 k app=x) spread(1 k app=-)", `values[0][app]`)
	f("near(k app=x) spread(1 k app=x)", "")
	pod := object.PodOf("spread(1 k app=x keys=-)")
	pod.Labels = map[string]string{"-": "v"} // which the API does not take
	if p := podspec.NewCompiler().Compile(pod); p.Spread.HardErr == nil {
		t.Error("a key that is no label key is taken")
	}
	// What is preferred is not in the way of what is required, and the other way round.
	if s := ofWords("spread(1 k app=x) soft(1 k app=-)").Spread; s.HardErr != nil || s.SoftErr == nil || len(s.Hard) != 1 {
		t.Errorf("an unreadable preference: %d required, errors %v and %v", len(s.Hard), s.HardErr, s.SoftErr)
	}
	if s := ofWords("spread(1 k app=-) soft(1 k app=x)").Spread; s.HardErr == nil || s.SoftErr != nil || len(s.Soft) != 1 {
		t.Errorf("an unreadable requirement: %d preferred, errors %v and %v", len(s.Soft), s.HardErr, s.SoftErr)
	}
}
