package notbuilt

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func repelling(selector *metav1.LabelSelector) *corev1.Pod {
	return spec(func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "zone", LabelSelector: selector}},
		}}
	})
}

func TestInterPodAffinityIsNeededForRequiredTerms(t *testing.T) {
	term := []corev1.PodAffinityTerm{{TopologyKey: "zone"}}
	soft := []corev1.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: term[0]}}
	affine := spec(func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term}}
	})
	preferring := spec(func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{
			PodAffinity:     &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: soft},
			PodAntiAffinity: &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: soft},
		}
	})
	expectGuard(t, "InterPodAffinity", affine, preferring)
	expectGuard(t, "InterPodAffinity", repelling(&metav1.LabelSelector{}), object.Pod("p"))
}

func TestInterPodAffinityIsNeededWherePodsOnNodesMayRepel(t *testing.T) {
	f := func(other *corev1.Pod, refused bool, options ...object.PodOption) {
		t.Helper()
		pod := object.Pod("p", options...)
		if got := guard(t, "InterPodAffinity", pod, other); (got != "skip") != refused {
			t.Errorf("%s beside %s: %s, want it refused: %v", sim.PodLine(pod), sim.PodLine(other), got, refused)
		}
	}
	web := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	f(repelling(web), true, object.Label("app", "web"))
	f(repelling(web), true, object.Label("app", "web"), object.Namespace("other")) // namespaces are not looked at
	f(repelling(web), false, object.Label("app", "db"))
	f(repelling(web), false)
	f(repelling(&metav1.LabelSelector{}), true) // everybody
	f(repelling(nil), false)                    // nobody
	broken := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Nearly"}}}
	f(repelling(broken), true)
	f(object.Pod("o", object.Label("app", "web")), false, object.Label("app", "web"))
}

func TestPodThatLeftOrOtherLabelsWake(t *testing.T) {
	g, _ := For("InterPodAffinity")
	f := func(on fwk.EventResource, action fwk.ActionType, want string) {
		t.Helper()
		if got := sim.Wake(g, on, action, object.Pod("p"), nil, nil); got != want {
			t.Errorf("%s %v: %s, want %s", on, action, got, want)
		}
	}
	f(fwk.AssignedPod, fwk.Delete, "Queue")
	f(fwk.TargetPod, fwk.UpdatePodLabel, "Queue")  // nobody may repel it any more
	f(fwk.AssignedPod, fwk.UpdatePodLabel, "none") // whom it repels is in its spec
	f(fwk.AssignedPod, fwk.Add, "none")
	f(fwk.Node, fwk.Add, "none")
}
