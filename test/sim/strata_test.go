package sim

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

func TestEachStratumDrawsAQuestion(t *testing.T) {
	for _, s := range Strata() {
		t.Run(s.Name, func(t *testing.T) {
			Each(t, 100, func(seed uint64) error {
				w := s.Draw(New(seed))
				if len(w.Nodes) == 0 || len(w.Pending) == 0 {
					return fmt.Errorf("%d nodes and %d pods that wait", len(w.Nodes), len(w.Pending))
				}
				if again := s.Draw(New(seed)); again.String() != w.String() {
					return fmt.Errorf("drawn again it is\n%sand was\n%s", again, w)
				}
				return nil
			})
		})
	}
}

func TestStrataComeBySharesOfTheDraws(t *testing.T) {
	g, drawn := New(1), map[string]int{}
	for range 10000 {
		drawn[g.Stratum().Name]++
	}
	sum := 0
	for _, s := range strata {
		sum += s.share
	}
	for _, s := range strata {
		if got, want := drawn[s.Name], 10000*s.share/sum; got < want*8/10 || got > want*12/10 {
			t.Errorf("%s is drawn %d times of 10000, want about %d", s.Name, got, want)
		}
	}
}

func TestTameWorldsHaveNoHugeQuantities(t *testing.T) {
	Each(t, 200, func(seed uint64) error {
		g := New(seed)
		w := g.Tame(g.World())
		var lists []corev1.ResourceList
		for _, n := range w.Nodes {
			lists = append(lists, n.Status.Allocatable)
		}
		for _, p := range slices.Concat(w.Bound, w.Pending) {
			lists = append(lists, listsOf(p)...)
		}
		for _, list := range lists {
			for name, q := range list {
				if units(name, q) > most {
					return fmt.Errorf("%s of %s in\n%s", q.String(), name, w)
				}
			}
		}
		return nil
	})
}

func TestChangesChangeSomethingThatIsThere(t *testing.T) {
	Each(t, 200, func(seed uint64) error {
		g := New(seed)
		w := g.Stratum().Draw(g)
		for _, c := range g.Changes(w, w.Pending[0]) {
			node, pod := c.NodeBefore != nil || c.NodeAfter != nil, c.PodBefore != nil || c.PodAfter != nil
			switch {
			case node == pod:
				return fmt.Errorf("a change of a node: %v, of a pod: %v", node, pod)
			case c.NodeBefore != nil && !slices.Contains(w.Nodes, c.NodeBefore):
				return fmt.Errorf("node %s changes and is not there", c.NodeBefore.Name)
			case c.PodBefore != nil && c.PodBefore != w.Pending[0] && !slices.Contains(w.Bound, c.PodBefore):
				return fmt.Errorf("pod %s changes and is not there", c.PodBefore.Name)
			case c.PodAfter != nil && c.PodBefore != nil && c.PodAfter.UID != c.PodBefore.UID:
				return fmt.Errorf("pod %s becomes another", c.PodBefore.Name)
			}
		}
		return nil
	})
}

func TestStrataDrawRareThings(t *testing.T) {
	note := sightings(t)
	for seed := range Seeds(3000) {
		g := New(seed)
		w := g.Stratum().Draw(g)
		p := w.Pending[0]
		note("town over the end of a set's word", len(w.Nodes) > 66)
		note("status of a pod that waits", len(p.Status.ContainerStatuses) > 0)
		if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil {
			_, err := nodeaffinity.NewPreferredSchedulingTerms(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
			note("preferred terms that do not parse", err != nil)
		}
		for _, p := range slices.Concat(w.Bound, w.Pending) {
			note("status of a pod whose spec has no resources", p.Spec.Resources == nil && p.Status.AllocatedResources != nil)
		}
		for _, c := range g.Changes(w, p) {
			if was, now := c.PodBefore, c.PodAfter; was != nil && now != nil {
				noteChange(note, was, now)
			}
		}
	}
}

func noteChange(note func(string, bool), was, now *corev1.Pod) {
	note("other tolerations, as many", len(was.Spec.Tolerations) == len(now.Spec.Tolerations) && !equality.Semantic.DeepEqual(was.Spec.Tolerations, now.Spec.Tolerations))
	note("other reason for a resize that waits", !equality.Semantic.DeepEqual(was.Status.Conditions, now.Status.Conditions))
	for _, list := range listsOf(now) {
		memory := list[corev1.ResourceMemory]
		note("part of a byte", memory.MilliValue()%1000 != 0 && units(corev1.ResourceMemory, memory) < most)
	}
}
