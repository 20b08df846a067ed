package cluster_test

import (
	"fmt"
	"testing"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestLabelsOfANamespaceDecideWhoIsMeant(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.NodeOf("n1 zone=z1"))
	s.SetNode(object.NodeOf("n2 zone=z2"))
	put := func(uid, node, words string) {
		p := s.pod(uid, object.Is(words), object.OnNode(node))
		s.SetPod(p)
	}
	put("a", "n1", "app=x in(other)")
	put("b", "n2", "app=x in(other)")
	put("c", "n2", "app=x in(third)")
	asker := s.specs.Compile(object.PodOf("far(zone app=x nsel:team=a) far(zone app=x nsel:all) far(zone app=x nsel:!team)"))
	put("d", "n1", "far(zone app=y nsel:team=a)")
	put("e", "n1", "far(zone app=y nsel:!team)")
	expect := func(when, want string) {
		t.Helper()
		var got []int
		for i := range asker.Affinity.Blockers {
			got = append(got, s.Domains(s.Tally(&asker.Affinity.Blockers[i]), asker.Affinity.Anti[i].TopologyKey, nil).Pods())
		}
		whom := s.specs.Compile(object.PodOf("app=y in(other)"))
		set, seen := s.Namespace("other")
		if text := fmt.Sprintf("%v, kept away by %d, %q %v", got, len(s.TermsFor(whom)), set.String(), seen); text != want {
			t.Errorf("%s: %s, want %s", when, text, want)
		}
	}
	expect("before it is seen", "[0 3 0], kept away by 1, \"\" false")
	s.SetNamespace("other", nil)
	expect("without labels", "[0 3 2], kept away by 1, \"\" true")
	s.SetNamespace("other", map[string]string{"team": "a"})
	expect("with the label", "[2 3 0], kept away by 1, \"team=a\" true")
	s.SetNamespace("other", map[string]string{"team": "a"})
	expect("again", "[2 3 0], kept away by 1, \"team=a\" true")
	s.SetNamespace("other", map[string]string{"team": "b"})
	expect("with another value", "[0 3 0], kept away by 0, \"team=b\" true")
	s.SetNamespace("third", map[string]string{"team": "a"})
	expect("with another namespace of that label", "[1 3 0], kept away by 0, \"team=b\" true")
	s.RemoveNamespace("other")
	expect("once it is gone", "[1 3 0], kept away by 1, \"\" false")
	s.RemoveNamespace("never")
}

func TestSelectionTellsWhomItIsFor(t *testing.T) {
	s := newStage(t)
	s.SetNamespace("other", map[string]string{"team": "a"})
	f := func(rules, words string, want bool) {
		t.Helper()
		own := s.specs.Compile(object.PodOf(rules)).Affinity
		p := s.specs.Compile(object.PodOf(words))
		for _, got := range []bool{s.Selects(&own.Partners, p), s.SelectsLabels(&own.Partners, p.Namespace, p.API.Labels)} {
			if got != want {
				t.Errorf("%s is for %s: %v, want %v", rules, words, got, want)
			}
		}
	}
	f("near(zone app=x)", "app=x", true)
	f("near(zone app=x)", "app=x deleting", true)
	f("near(zone app=x)", "app=x in(other)", false)
	f("near(zone app=x nsel:team=a)", "app=x in(other)", true)
	f("near(zone app=x nsel:team=a)", "app=x", false)
	f("near(zone app=x nsel:team!=b)", "app=x in(unseen)", false)
	f("near(zone app=x) near(zone tier=t)", "app=x", false)
	f("near(zone app=x) near(zone tier=t)", "app=x tier=t", true)
}
