package podspec_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func spreadText(list []podspec.SpreadConstraint) string {
	var parts []string
	for i := range list {
		c := &list[i]
		selector := c.Selector.String()
		if _, some := c.Selector.Requirements(); !some {
			selector = "nothing"
		}
		parts = append(parts, fmt.Sprintf("%s skew %d min %d %q self %v", c.TopologyKey, c.MaxSkew, c.MinDomains, selector, c.SelfMatch))
	}
	return strings.Join(parts, "; ")
}

func TestCompileReadsSpreadConstraints(t *testing.T) {
	f := func(words, hard, soft string) {
		t.Helper()
		s := ofWords(words).Spread
		if got := spreadText(s.Hard); got != hard {
			t.Errorf("%s: hard %s, want %s", words, got, hard)
		}
		if got := spreadText(s.Soft); got != soft {
			t.Errorf("%s: soft %s, want %s", words, got, soft)
		}
	}
	if s := ofWords("app=x").Spread; s != nil {
		t.Errorf("a pod without constraints has %+v", s)
	}
	f("app=x spread(1 k app=x)", `k skew 1 min 1 "app=x" self true`, "")
	f("app=x spread(2 k app=y min=5) soft(3 l all)", `k skew 2 min 5 "app=y" self false`, `l skew 3 min 1 "" self true`)
	f("app=x soft(1 k)", "", `k skew 1 min 1 "nothing" self false`)
	f("app=x v=1 spread(1 k app=x keys=v,w)", `k skew 1 min 1 "app=x,v in (1)" self true`, "")
	f("app=x v=1 spread(1 k keys=v)", `k skew 1 min 1 "nothing" self false`, "")
	f("app=x v=1 spread(1 k all keys=v)", `k skew 1 min 1 "v in (1)" self true`, "")
}

func TestMatchLabelKeysMayBeIgnored(t *testing.T) {
	c := podspec.NewCompiler()
	c.MatchLabelKeys = false
	got := spreadText(c.Compile(object.PodOf("app=x v=1 spread(1 k app=x keys=v)")).Spread.Hard)
	if want := `k skew 1 min 1 "app=x" self true`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestConstraintThatSelectsAllCountsNobody(t *testing.T) {
	p := ofWords("app=x spread(1 k all)")
	c := &p.Spread.Hard[0]
	if !c.SelfMatch || c.Pods.Terms[0].Selector.Matches(labels.Set{"app": "x"}) {
		t.Errorf("it matches itself: %v, and counts by %q", c.SelfMatch, c.Pods.Key)
	}
}

func TestWhereTellsNodesApart(t *testing.T) {
	f := func(words, labels string, affinity, taints, all bool) {
		t.Helper()
		p := ofWords(words)
		w := p.Spread.Hard[0].Where
		if got := strings.Join(w.Labels, ","); got != labels || w.Affinity != affinity || w.Taints != taints || (w.Key == "") != all {
			t.Errorf("%s: %+v", words, w)
		}
	}
	f("spread(1 k app)", "", false, false, true)
	f("spread(1 k app) spread(1 k tier)", "", false, false, true) // one key: who lacks it has no domain
	f("spread(1 k app) soft(1 l app)", "", false, false, true)    // each list by itself
	f("spread(1 k app) spread(1 l app)", "k,l", false, false, false)
	f("wants(disk=ssd) spread(1 k app)", "", true, false, false)
	f("wants(disk=ssd) spread(1 k app affinity=Ignore)", "", false, false, true)
	f("wants(disk=ssd) spread(1 k app affinity=Honor)", "", true, false, false)
	f("spread(1 k app taints=Honor)", "", false, true, false)
	f("bears(t) spread(1 k app taints=Ignore)", "", false, false, true)

	seen := map[string]string{}
	for _, words := range []string{
		"spread(1 k app)", "spread(1 k app) spread(1 l app)", "wants(a=b) spread(1 k app)", "wants(a=c) spread(1 k app)",
		"wants(a=b) spread(1 k app) spread(1 l app)", "spread(1 k app taints=Honor)", "bears(t) spread(1 k app taints=Honor)",
		"wants(a=b) spread(1 k app taints=Honor)", "bears(u) spread(1 k app taints=Honor)", "spread(1 k app) spread(1 m app)",
	} {
		key := ofWords(words).Spread.Hard[0].Where.Key
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s count on the same nodes: %q", words, other, key)
		}
		seen[key] = words
	}
	required := object.PodOf("spread(1 k app)")
	required.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{}}}
	if w := podspec.NewCompiler().Compile(required).Spread.Hard[0].Where; !w.Affinity || w.Key == "" {
		t.Errorf("with a node affinity that takes no node: %+v", w)
	}
}
