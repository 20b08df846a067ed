package endstate

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// zoned is three nodes in two zones, with pods of an app on them as the numbers say.
func zoned(rules func(*corev1.PodSpec), numbers ...int) *State {
	s := &State{}
	for i, n := range numbers {
		s.Nodes = append(s.Nodes, *object.Node(fmt.Sprintf("n%d", i), object.Zone(fmt.Sprintf("z%d", i%2))))
		for k := range n {
			pod := object.Pod(fmt.Sprintf("p%d-%d", i, k), object.Label("app", "x"), object.OnNode(fmt.Sprintf("n%d", i)))
			rules(&pod.Spec)
			s.Pods = append(s.Pods, *pod)
		}
	}
	return s
}

// expectMistake checks a state without measured pods; no text means that it is right.
func expectMistake(t *testing.T, s *State, text string) {
	t.Helper()
	err := Check(s, nil)
	if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
		t.Errorf("got %v, want %q", err, text)
	}
}

func TestPodsMustBeAwayFromOthers(t *testing.T) {
	apart := func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
				TopologyKey: corev1.LabelTopologyZone, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}},
			}},
		}}
	}
	expectMistake(t, zoned(apart, 1, 1, 0), "")
	expectMistake(t, zoned(apart, 1, 0, 1), "is in topology.kubernetes.io/zone z0 with default/p")
	elsewhere := zoned(apart, 1, 0, 1)
	elsewhere.Pods[0].Namespace = "other"
	expectMistake(t, elsewhere, "")
}

func TestPodsMustBeSpread(t *testing.T) {
	spread := func(s *corev1.PodSpec) {
		s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}},
		}}
	}
	expectMistake(t, zoned(spread, 1, 2, 1), "")
	expectMistake(t, zoned(spread, 2, 2, 1), "")
	expectMistake(t, zoned(spread, 2, 1, 1), "spread over topology.kubernetes.io/zone from 1 to 3, want at most 1 more")
}
