package nodedeclaredfeatures

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func expectWake(t *testing.T, on fwk.EventResource, action fwk.ActionType, pod *corev1.Pod, before, after any, want string) {
	t.Helper()
	if got := sim.Wake(&NodeDeclaredFeatures{}, on, action, pod, before, after); got != want {
		t.Errorf("%s, %s %v: %s, want %s", sim.PodLine(pod), on, action, got, want)
	}
}

// kube-scheduler does not look whether the features are those that the pod needs.
func TestNewNodeAndAnyChangeOfFeaturesWake(t *testing.T) {
	const declare = fwk.UpdateNodeDeclaredFeature
	pod := needing(restarts, mounting)
	expectWake(t, fwk.Node, fwk.Add, pod, nil, declaring(restart, mounts), "Queue")
	expectWake(t, fwk.Node, fwk.Add, pod, nil, declaring(), "Queue")
	expectWake(t, fwk.Node, declare, pod, declaring(restart), declaring(restart, mounts), "Queue")
	expectWake(t, fwk.Node, declare, pod, declaring(restart, mounts), declaring(restart), "Queue")

	expectWake(t, fwk.Node, fwk.UpdateNodeLabel, pod, declaring(), declaring(restart, mounts), "none")
	expectWake(t, fwk.Node, fwk.Delete, pod, declaring(), nil, "none")
	expectWake(t, fwk.AssignedPod, fwk.Delete, pod, pod, nil, "none")
}

func TestPodThatNeedsSomethingElseWakes(t *testing.T) {
	f := func(before, after any, want string) {
		t.Helper()
		expectWake(t, fwk.TargetPod, fwk.Update, needing(restarts), before, after, want)
	}
	f(needing(restarts), needing(), "Queue")
	f(needing(restarts), needing(restarts, mounting), "Queue") // more is a change as well
	f(needing(restarts), needing(mounting), "Queue")
	f(needing(restarts), needing(restarts), "QueueSkip")
	relabelled := needing(restarts)
	object.Label("x", "y").PodFunc(relabelled)
	f(needing(restarts), relabelled, "QueueSkip")
	f(needing(), declaring(), "Queue: expected *v1.Pod as the new object of an event, got *v1.Node")
}
