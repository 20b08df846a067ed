package noderesources

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestMostAllocatedFollowsThePlainDefinition(t *testing.T) {
	for _, resources := range [][]configv1.ResourceSpec{
		{spec("cpu", 1), spec("memory", 1)},
		{spec("cpu", 3), spec("memory", 100), spec("example.com/gpu", 2), spec("ephemeral-storage", 1), spec("hugepages-2Mi", 7)},
		{spec("example.com/gpu", 1)},
	} {
		scorer := func() framework.Scorer { return strategyOf(configv1.MostAllocated, nil, resources...) }
		sim.JudgeScore(t, 100, scorer, plainMostAllocated(resources...), sim.Unchanged)
		sim.JudgeScoreIn(t, 50, sim.Kind("room"), scorer, plainMostAllocated(resources...), sim.Unchanged)
	}
}

// most is Fit that prefers full nodes.
func most(resources ...configv1.ResourceSpec) *Fit {
	if resources == nil {
		resources = []configv1.ResourceSpec{spec("cpu", 1), spec("memory", 1)}
	}
	return strategyOf(configv1.MostAllocated, nil, resources...)
}

func TestLessFreeRoomIsBetter(t *testing.T) {
	f := func(pod *corev1.Pod, want []int64, sites ...sim.Site) {
		t.Helper()
		expectScores(t, most(), pod, want, sites...)
	}
	pod := asking("3000m", "5000")
	cpu, both := asking("3000m", "0"), asking("3000m", "5000")
	f(none(), []int64{0, 0}, sized("a", "4000", "10000"), sized("b", "4000", "10000"))
	f(pod, []int64{62, 50}, sized("a", "4000", "10000"), sized("b", "6000", "10000"))
	f(none(), []int64{30, 42}, sized("a", "10000", "20000", cpu, cpu), sized("b", "10000", "20000", cpu, both))
	f(pod, []int64{42, 55}, sized("a", "10000", "20000", cpu), sized("b", "10000", "20000", both))
	f(asking("4000m", "9000"), []int64{95, 75}, sized("a", "4000", "10000"), sized("b", "8000", "9000"))      // exactly full
	f(none(), []int64{50, 75}, sized("a", "4000", "10000", cpu, cpu), sized("b", "4000", "10000", cpu, both)) // more is taken than there is
	f(pod, []int64{100}, sized("a", "1000", "1000"))
	f(pod, []int64{0, 0}, sized("a", "0", "0"), sim.Site{Node: object.Node("b")})
	f(pod, []int64{50}, sized("a", "0", "10000")) // what is not offered does not count
}

func TestDefaultsCountInMostAllocated(t *testing.T) {
	const gi = "1048576000" // five times 200Mi
	empty := object.Pod("p")
	expectScores(t, most(), empty, []int64{80, 30}, sized("a", "250", gi, empty, empty), sized("b", "250", gi))
	expectScores(t, most(), none(), []int64{0}, sized("a", "250", gi))
	expectScores(t, most(), asking("0", "0"), []int64{0}, sized("a", "250", gi)) // asking for nothing is an answer
}

func TestSidecarsCountInMostAllocated(t *testing.T) {
	pod := asking("1000m", "2000", initial("2000m", true))
	pod.Spec.InitContainers[0].Resources.Requests[corev1.ResourceMemory] = *asked("4000")
	sites := []sim.Site{sized("a", "4000", "10000"), sized("b", "10000", "10000")}
	expectScores(t, most(), pod, []int64{67, 45}, sites...)
	expectScores(t, newFit(), pod, []int64{32, 55}, sites...)
}

func TestWeightsInMostAllocated(t *testing.T) {
	pod := asking("3000m", "5000")
	expectScores(t, most(spec("memory", 2), spec("cpu", 1)), pod, []int64{58, 50}, sized("a", "4000", "10000"), sized("b", "6000", "10000"))

	gpu := func(name, q string) sim.Site {
		s := sized(name, "6000", "10000")
		s.Node.Status.Allocatable["example.com/gpu"] = *asked(q)
		return s
	}
	all := most(spec("cpu", 1), spec("memory", 1), spec("example.com/gpu", 1))
	two := asking("3000m", "5000", object.Resource("example.com/gpu", "2"))
	expectScores(t, all, two, []int64{50, 40}, gpu("a", "4"), gpu("b", "10"))
	expectScores(t, all, pod, []int64{50, 50}, gpu("a", "4"), gpu("b", "10")) // not requested
	expectScores(t, all, two, []int64{50}, sized("a", "6000", "10000"))       // not offered
	expectScores(t, most(spec("example.com/none", 1)), two, []int64{0}, gpu("a", "4"))
	expectScores(t, most(spec("example.com/gpu", 0)), two, []int64{50}, gpu("a", "4")) // no weight is 1
}

func TestMostAllocatedOfVastNodesStaysInRange(t *testing.T) {
	vast := sized("a", "9223372036854775807", "50E")
	expectScores(t, most(), none(), []int64{0}, vast)
	expectScores(t, most(), asking("4611686018427387904m", "4Ei"), []int64{50}, vast)
	expectScores(t, most(), asking("9223372036854775806m", "50E"), []int64{99}, vast) // 99.9 and 100
	vast.Pods = []*corev1.Pod{asking("10P", "50E"), asking("10P", "50E")}
	expectScores(t, most(), asking("1m", "1"), []int64{100}, vast)
}
