package noderesources

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestNodeThatGrewWakes(t *testing.T) {
	pod := asking("2", "2Gi", object.Resource("example.com/gpu", "1"))
	node := func(cpu, memory, gpu, pods string) *corev1.Node {
		return object.Node("n", object.CPU(cpu), object.Memory(memory), object.Resource("example.com/gpu", gpu), object.Pods(pods))
	}
	fits := node("4", "4Gi", "1", "10")
	f := func(before, after any, want string) {
		t.Helper()
		action := fwk.UpdateNodeAllocatable
		if before == nil {
			action = fwk.Add
		}
		if got := sim.Wake(newFit(), fwk.Node, action, pod, before, after); got != want {
			t.Errorf("%v: %s, want %s", action, got, want)
		}
	}
	f(nil, fits, "Queue")
	f(nil, node("2", "2Gi", "1", "1"), "Queue")
	f(nil, node("1", "4Gi", "1", "10"), "QueueSkip")
	f(nil, node("4", "4Gi", "0", "10"), "QueueSkip")
	f(nil, node("4", "4Gi", "1", "0"), "QueueSkip") // it takes no pod at all
	f(nil, object.Node("n"), "QueueSkip")

	f(node("1", "4Gi", "1", "10"), fits, "Queue")
	f(node("4", "4Gi", "0", "10"), fits, "Queue")
	f(node("4", "4Gi", "1", "9"), fits, "Queue") // more pods
	f(fits, fits, "QueueSkip")
	f(node("8", "8Gi", "2", "20"), fits, "QueueSkip")                        // it shrank
	f(node("1", "4Gi", "1", "10"), node("2", "1Gi", "1", "10"), "QueueSkip") // more CPU, but memory is short
	f(nil, pod, "Queue: expected *v1.Node as the new object of an event, got *v1.Pod")
}

func TestPodWithoutRequestsWaitsForPlacesOnly(t *testing.T) {
	f := func(before, after *corev1.Node, want string) {
		t.Helper()
		if got := sim.Wake(newFit(), fwk.Node, fwk.UpdateNodeAllocatable, object.Pod("p"), before, after); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	f(object.Node("n", object.CPU("1")), object.Node("n", object.CPU("2")), "QueueSkip")
	f(object.Node("n", object.Pods("1")), object.Node("n", object.Pods("2")), "Queue")
}

func TestRoomThatOthersLeaveWakes(t *testing.T) {
	pod, other := asking("2", "2Gi"), asking("1", "1Gi", object.OnNode("n"))
	f := func(on fwk.EventResource, action fwk.ActionType, before, after any, want string) {
		t.Helper()
		if got := sim.Wake(newFit(), on, action, pod, before, after); got != want {
			t.Errorf("%s %v: %s, want %s", on, action, got, want)
		}
	}
	f(fwk.AssignedPod, fwk.Delete, other, nil, "Queue")
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, asking("2", "1Gi", object.OnNode("n")), other, "Queue")
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, asking("1", "2Gi", object.OnNode("n")), other, "Queue")
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, other, other, "QueueSkip")
	gpu := asking("1", "1Gi", object.OnNode("n"), object.Resource("example.com/gpu", "1"))
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, gpu, other, "QueueSkip")                             // nothing that it needs
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, asking("2", "1Gi"), asking("1", "1Gi"), "QueueSkip") // on no node
	still := other.DeepCopy()
	still.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", AllocatedResources: corev1.ResourceList{corev1.ResourceCPU: *asked("2")}}}
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, asking("2", "1Gi", object.OnNode("n")), still, "QueueSkip") // it has not let go yet
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, still, other, "Queue")
	f(fwk.TargetPod, fwk.UpdatePodScaleDown, asking("3", "2Gi"), pod, "Queue")
	f(fwk.AssignedPod, fwk.UpdatePodScaleUp, other, other, "none")
	f(fwk.AssignedPod, fwk.Add, nil, other, "none")
	f(fwk.Node, fwk.UpdateNodeTaint, nil, nil, "none")
	f(fwk.Node, fwk.Delete, nil, nil, "none")
}

func TestPodWaitsForWhatItsStatusTellsToo(t *testing.T) {
	pod := asking("2", "0")
	f := func(want string) {
		t.Helper()
		was, now := asking("1", "2Gi", object.OnNode("n")), asking("1", "1Gi", object.OnNode("n"))
		if got := sim.Wake(newFit(), fwk.AssignedPod, fwk.UpdatePodScaleDown, pod, was, now); got != want {
			t.Errorf("%s: %s, want %s", sim.PodLine(pod), got, want)
		}
	}
	f("QueueSkip")
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "c", AllocatedResources: corev1.ResourceList{corev1.ResourceMemory: *asked("1Gi")},
	}}
	f("Queue")
}

func TestIgnoredResourcesDoNotKeepAPodAsleep(t *testing.T) {
	pod := object.Pod("p", object.CPU("1"), object.Resource("example.com/gpu", "1"))
	node := object.Node("n", object.CPU("2"))
	if got := sim.Wake(ignoring(t, "example.com/gpu", ""), fwk.Node, fwk.Add, pod, nil, node); got != "Queue" {
		t.Errorf("a node with room for what counts: %s, want Queue", got)
	}
	if got := sim.Wake(newFit(), fwk.Node, fwk.Add, pod, nil, node); got != "QueueSkip" {
		t.Errorf("a node without the resource: %s, want QueueSkip", got)
	}
}

// Where the pod's own requests do not count, those of its containers do: when they shrink,
// there is room.
func TestPodShrinksBySwitches(t *testing.T) {
	sized := func(container string) *corev1.Pod {
		p := asking(container, "1Gi", object.OnNode("n"))
		p.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: *asked("4")}}
		return p
	}
	f := func(podLevel bool, want fwk.QueueingHint) {
		t.Helper()
		specs := podspec.NewCompiler()
		specs.PodLevelResources = podLevel
		v := &cluster.New(specs.Resources).View
		got, err := podShrank(v, specs.Compile(asking("2", "2Gi")), sized("2"), sized("1"))
		if got != want || err != nil {
			t.Errorf("with pod-level resources %v: %v and %v, want %v", podLevel, got, err, want)
		}
	}
	f(true, fwk.QueueSkip)
	f(false, fwk.Queue)
}
