package cluster_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestTryNestsAndRollsBack(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	for _, name := range []string{"a", "b", "c"} {
		s.SetPod(s.pod(name, object.CPU("1m"), object.OnNode("n1")))
	}
	try := s.Try()
	outer := try.Mark()
	if !try.Remove("a") || try.Remove("a") || try.Remove("z") {
		t.Error("Try removes a pod once, and none that is not there")
	}
	s.expect("n1 2/2 c b") // the last one gets its place
	inner := try.Mark()
	try.Add(s.pod("d", object.CPU("4m")), 0)
	try.Add(s.pod("b", object.CPU("1m")), 0) // counts twice
	try.Remove("c")
	s.expect("n1 6/3 b b d")
	s.expectPlace("a", "n1", 0, false) // where pods are, not where they might be
	s.expectPlace("c", "n1", 0, false)
	if _, known := s.Lookup("d"); known {
		t.Error("Lookup knows a pod that was only tried")
	}
	try.Rollback(inner)
	s.expect("n1 2/2 c b")
	try.Rollback(outer)
	s.expect("n1 3/3 a b c")
	try.Rollback(0)
	s.expect("n1 3/3 a b c")
}

func TestTrySeesWhoKeepsOthersAway(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1", object.Label("zone", "z")))
	shy := object.PodFunc(func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{}}},
		}}
	})
	f := func(want bool) {
		t.Helper()
		got := false
		for _, term := range s.TermsFor(s.pod("c")) {
			term.Repelled.Each(func(int32, int64) { got = true })
		}
		if got != want {
			t.Errorf("somebody keeps others away: %v, want %v", got, want)
		}
	}
	f(false)
	s.SetPod(s.pod("a", shy, object.OnNode("n1")))
	f(true)
	s.Try().Remove("a")
	f(false)
	s.Try().Add(s.pod("b", shy), 0)
	f(true)
	s.Try().Rollback(0)
	f(true)
	s.RemoveNode("n1")
	f(false)
	s.SetNode(object.Node("n1", object.Label("zone", "z")))
	f(true)
}
