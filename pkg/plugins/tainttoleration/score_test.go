package tainttoleration

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestFewerUntoleratedSoftTaintsAreBetter(t *testing.T) {
	f := func(nodes [][]corev1.Taint, want []int64, options ...object.PodOption) {
		t.Helper()
		var sites []sim.Site
		for i, taints := range nodes {
			node := object.Node(string(rune('a' + i)))
			node.Spec.Taints = taints
			sites = append(sites, sim.Site{Node: node})
		}
		pod := object.Pod("p", options...)
		_, got, err := sim.Scores(&TaintToleration{}, pod, sites...)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: scores %v, %v, want %v", sim.PodLine(pod), got, err, want)
		}
	}
	soft := func(key string) corev1.Taint { return corev1.Taint{Key: key, Value: "v", Effect: prefer} }
	hard := corev1.Taint{Key: "k", Value: "v", Effect: noSchedule}
	zeroOneTwo := [][]corev1.Taint{nil, {soft("k")}, {soft("k"), soft("l")}}

	f(zeroOneTwo, []int64{100, 50, 0})
	f(zeroOneTwo, []int64{100, 100, 0}, object.Tolerate("k", "v", prefer))
	f(zeroOneTwo, []int64{100, 100, 0}, object.Tolerate("k", "", "")) // for all effects
	f(zeroOneTwo, []int64{100, 100, 100}, object.Tolerate("", "", ""))
	f(zeroOneTwo, []int64{100, 50, 0}, object.Tolerate("k", "", noSchedule)) // another effect does not help
	f([][]corev1.Taint{nil, nil}, []int64{100, 100})
	f([][]corev1.Taint{nil, {hard}}, []int64{100, 100}) // hard taints do not count
	f([][]corev1.Taint{{soft("k")}, {soft("k")}}, []int64{0, 0})
	f([][]corev1.Taint{{soft("k")}, {soft("k"), soft("l"), soft("m")}}, []int64{67, 0})
}

func TestNodeThatIsToleratedNowWakes(t *testing.T) {
	open := object.Node("n")
	tainted := object.Node("n", object.Taint("k", "v", noSchedule))
	soft := object.Node("n", object.Taint("k", "v", prefer))
	f := func(action fwk.ActionType, before, after any, want string, options ...object.PodOption) {
		t.Helper()
		if got := sim.Wake(&TaintToleration{}, fwk.Node, action, object.Pod("p", options...), before, after); got != want {
			t.Errorf("%v: %s, want %s", action, got, want)
		}
	}
	f(fwk.Add, nil, open, "Queue")
	f(fwk.Add, nil, soft, "Queue")
	f(fwk.Add, nil, tainted, "QueueSkip")
	f(fwk.Add, nil, tainted, "Queue", object.Tolerate("k", "v", noSchedule))
	f(fwk.UpdateNodeTaint, tainted, open, "Queue")
	f(fwk.UpdateNodeTaint, open, tainted, "QueueSkip")
	f(fwk.UpdateNodeTaint, open, soft, "QueueSkip")                                 // it was tolerated before
	f(fwk.UpdateNodeTaint, tainted, open, "QueueSkip", object.Tolerate("", "", "")) // so was this
	f(fwk.UpdateNodeAllocatable, tainted, open, "none")
	f(fwk.UpdateNodeTaint, open, object.Pod("p"), "Queue: expected *v1.Node as the new object of an event, got *v1.Pod")
}

func TestAnyNewTolerationWakes(t *testing.T) {
	pod := object.Pod("p")
	if got := sim.Wake(&TaintToleration{}, fwk.TargetPod, fwk.UpdatePodToleration, pod, pod, pod); got != "Queue" {
		t.Errorf("a new toleration: %s, want Queue", got)
	}
}
