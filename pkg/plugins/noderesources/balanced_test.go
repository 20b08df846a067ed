package noderesources

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func balancing(resources ...configv1.ResourceSpec) *Balanced {
	return NewBalanced(&configv1.NodeResourcesBalancedAllocationArgs{Resources: resources})
}

func TestBalancedFollowsThePlainDefinition(t *testing.T) {
	cpu, memory := spec("cpu", 1), spec("memory", 1)
	for _, resources := range [][]configv1.ResourceSpec{
		{cpu, memory},
		{memory, spec("example.com/gpu", 1)},
		{cpu, memory, spec("example.com/gpu", 1)},
		{cpu, memory, spec("ephemeral-storage", 1), spec("hugepages-2Mi", 1), spec("example.com/none", 1)},
		{cpu},
	} {
		scorer := func() framework.Scorer { return balancing(resources...) }
		sim.JudgeScore(t, 100, scorer, plainBalance(resources...), sim.Unchanged)
		sim.JudgeScoreIn(t, 50, sim.Kind("room"), scorer, plainBalance(resources...), sim.Unchanged)
	}
}

func expectBalance(t *testing.T, plugin *Balanced, pod *corev1.Pod, want []int64, sites ...sim.Site) {
	t.Helper()
	raw, normal, err := sim.Scores(plugin, pod, sites...)
	if err != nil || !slices.Equal(raw, want) {
		t.Errorf("%s: scores %v, %v, want %v", sim.PodLine(pod), raw, err, want)
	}
	if len(sites) > 1 && !slices.Equal(normal, raw) {
		t.Errorf("%s: normalised scores %v, want them unchanged: %v", sim.PodLine(pod), normal, raw)
	}
}

func TestMoreEvenUseIsBetter(t *testing.T) {
	f := func(pod *corev1.Pod, want []int64, sites ...sim.Site) {
		t.Helper()
		expectBalance(t, NewBalanced(nil), pod, want, sites...)
	}
	cpu, both := asking("3000m", "0"), asking("3000m", "5000")
	f(both, []int64{68, 75}, sized("a", "4000", "10000"), sized("b", "6000", "10000")) // evenness 100, then 87 and 100
	f(both, []int64{73, 74}, sized("a", "10000", "20000", cpu, cpu), sized("b", "10000", "20000", cpu, both))
	f(both, []int64{73, 70}, sized("a", "10000", "20000", cpu, cpu), sized("b", "10000", "50000", cpu, both))
	f(cpu, []int64{62, 62}, sized("a", "6000", "10000"), sized("b", "6000", "10000", both))
	f(asking("6000m", "0"), []int64{50}, sized("a", "6000", "10000"))
	f(both, []int64{87}, sized("a", "4000", "10000", cpu, cpu)) // CPU is full already, and cannot be fuller

	memory := asking("0", "5000")
	f(memory, []int64{100}, sized("a", "3000", "5000", cpu)) // all of both
	f(memory, []int64{50}, sized("a", "3000", "5000"))
}

func TestTrueRequestsCountInBalance(t *testing.T) {
	f := func(pod *corev1.Pod, want int64, pods ...*corev1.Pod) {
		t.Helper()
		expectBalance(t, NewBalanced(nil), pod, []int64{want}, sized("a", "1000", "1048576000", pods...))
	}
	half := asking("500m", "0")
	f(half, 62, object.Pod("u")) // no defaults for what is there
	f(object.Pod("p", object.CPU("500m")), 62)

	level := object.Pod("p") // the pod's own resources count, here and on the node
	level.Spec.Resources = half.Spec.Containers[0].Resources.DeepCopy()
	f(level, 62)
	f(asking("0", "524288000"), 87, level) // evenness 75, then 100
}

func TestStatusOfAPodThatWaitsCountsInBalance(t *testing.T) {
	site := sized("a", "1000", "1048576000")
	f := func(cpu, allocated, actual, resize string, want int64) {
		t.Helper()
		pod := asking(cpu, "0")
		status := corev1.ContainerStatus{Name: pod.Spec.Containers[0].Name}
		if allocated != "" {
			status.AllocatedResources = corev1.ResourceList{corev1.ResourceCPU: *asked(allocated)}
		}
		if actual != "" {
			status.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: *asked(actual)}}
		}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{status}
		if resize != "" {
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: resize}}
		}
		expectBalance(t, NewBalanced(nil), pod, []int64{want}, site)
	}
	f("100m", "", "", "", 72)
	f("100m", "500m", "", "", 62)
	f("100m", "", "500m", "", 62)
	f("500m", "100m", "100m", "", 62)
	f("500m", "100m", "100m", corev1.PodReasonDeferred, 62)
	f("500m", "100m", "100m", corev1.PodReasonInfeasible, 72)

	pod := object.Pod("p") // asks for nothing, and is balanced all the same
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", AllocatedResources: corev1.ResourceList{corev1.ResourceCPU: *asked("1")}}}
	expectBalance(t, NewBalanced(nil), pod, []int64{50}, site)
}

func TestWhatANodeDoesNotOfferIsLeftOut(t *testing.T) {
	pod := asking("3000m", "5000")
	f := func(want int64, plugin *Balanced, site sim.Site) {
		t.Helper()
		expectBalance(t, plugin, pod, []int64{want}, site)
	}
	three := balancing(spec("cpu", 1), spec("memory", 1), spec("ephemeral-storage", 1))
	f(75, NewBalanced(nil), sized("a", "4000", "0")) // one number does not deviate
	f(75, NewBalanced(nil), sized("a", "0", "0"))
	f(75, three, sized("a", "0", "10000"))
	f(68, three, sized("a", "4000", "10000")) // like two
	f(75, balancing(spec("cpu", 1)), sized("a", "4000", "10000"))
}

func TestScalarsCountInBalanceWhenRequested(t *testing.T) {
	all := balancing(spec("cpu", 1), spec("memory", 1), spec("example.com/gpu", 1))
	gpus := func(name, cpu, q string, pods ...*corev1.Pod) sim.Site {
		s := sized(name, cpu, "10000", pods...)
		s.Node.Status.Allocatable["example.com/gpu"] = *asked(q)
		return s
	}
	gpu := func(q string) object.PodOption { return object.Resource("example.com/gpu", q) }
	expectBalance(t, all, asking("3000m", "5000", gpu("2")), []int64{75, 69}, gpus("a", "6000", "4"), gpus("b", "6000", "8"))
	expectBalance(t, all, asking("3000m", "0", gpu("1")), []int64{76}, gpus("a", "4000", "4", asking("0", "5000")))
	expectBalance(t, all, asking("3000m", "0"), []int64{56, 56}, gpus("a", "4000", "4"), gpus("b", "4000", "9"))
	expectBalance(t, all, asking("3000m", "5000", gpu("2")), []int64{68}, sized("a", "4000", "10000")) // the node has none
}

func TestPodThatAsksForNothingIsNotBalanced(t *testing.T) {
	f := func(plugin *Balanced, pod *corev1.Pod, skips bool) {
		t.Helper()
		specs := podspec.NewCompiler()
		c := (&sim.World{Nodes: []*corev1.Node{object.Node("a", object.CPU("1"))}}).Load(specs)
		prep := plugin.PreScore(&framework.Cycle{View: &c.View, Pod: specs.Compile(pod)}, []int32{0})
		if prep.Skip != skips || prep.Err != nil {
			t.Errorf("%s: skips: %v, %v, want %v", sim.PodLine(pod), prep.Skip, prep.Err, skips)
		}
	}
	gpu := object.Pod("p", object.Resource("example.com/gpu", "1"))
	f(NewBalanced(nil), object.Pod("p"), true) // defaults are no requests
	f(NewBalanced(nil), asking("0", "0"), true)
	f(NewBalanced(nil), gpu, true)
	f(NewBalanced(nil), asking("1m", "0"), false)
	f(NewBalanced(nil), asking("0", "1"), false)
	f(balancing(spec("example.com/gpu", 1)), gpu, false)
	f(balancing(spec("example.com/gpu", 1)), asking("1", "1"), true)
	f(balancing(spec("example.com/none", 1)), gpu, true)
}

func TestBalanceOfVastNodesStaysInRange(t *testing.T) {
	vast := sized("a", "9223372036854775807", "50E")
	expectBalance(t, NewBalanced(nil), asking("4611686018427387904m", "0"), []int64{62}, vast)
	vast.Pods = []*corev1.Pod{asking("10P", "50E"), asking("10P", "50E")}
	expectBalance(t, NewBalanced(nil), asking("10P", "50E"), []int64{75}, vast)
}

func TestEqualFragmentsGetEqualAnswers(t *testing.T) {
	sim.JudgeFragment(t, 40, (*sim.Gen).Furnished, func() framework.Plugin { return NewBalanced(nil) })
	sim.JudgeFragment(t, 40, (*sim.Gen).Furnished, func() framework.Plugin { return newFit() })
	sim.JudgeFragment(t, 40, sim.Kind("room"), func() framework.Plugin { return newFit() })
}
