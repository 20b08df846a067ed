package noderesources

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestScoreFollowsThePlainDefinition(t *testing.T) {
	sim.JudgeScore(t, 300, func() framework.Scorer { return newFit() }, plainLeastAllocated, sim.Unchanged)
}

// sized is a node with pods on it; room in millis of a CPU and bytes.
func sized(name, cpu, memory string, pods ...*corev1.Pod) sim.Site {
	return sim.Site{Node: object.Node(name, object.CPU(cpu+"m"), object.Memory(memory)), Pods: pods}
}

// none has no container, so not even the defaults count.
func none() *corev1.Pod {
	p := object.Pod("p")
	p.Spec.Containers = nil
	return p
}

func expectScores(t *testing.T, fit *Fit, pod *corev1.Pod, want []int64, sites ...sim.Site) {
	t.Helper()
	raw, normal, err := sim.Scores(fit, pod, sites...)
	if err != nil || !slices.Equal(raw, want) {
		t.Errorf("%s: scores %v, %v, want %v", sim.PodLine(pod), raw, err, want)
	}
	if len(sites) > 1 && !slices.Equal(normal, raw) {
		t.Errorf("%s: normalised scores %v, want them unchanged: %v", sim.PodLine(pod), normal, raw)
	}
}

func TestMoreFreeRoomIsBetter(t *testing.T) {
	f := func(pod *corev1.Pod, want []int64, sites ...sim.Site) {
		t.Helper()
		expectScores(t, newFit(), pod, want, sites...)
	}
	f(none(), []int64{100, 100}, sized("a", "4000", "10000"), sized("b", "4000", "10000"))
	f(asking("3000m", "5000"), []int64{37, 50}, sized("a", "4000", "10000"), sized("b", "6000", "10000"))
	f(none(), []int64{70, 57},
		sized("a", "10000", "20000", asking("3000m", "0"), asking("3000m", "0")),
		sized("b", "10000", "20000", asking("3000m", "0"), asking("3000m", "5000")))
	f(none(), []int64{50, 25}, // more CPU is taken than there is
		sized("a", "4000", "10000", asking("3000m", "0"), asking("3000m", "0")),
		sized("b", "4000", "10000", asking("3000m", "0"), asking("3000m", "5000")))
	f(asking("4000m", "10000"), []int64{0}, sized("a", "4000", "10000")) // exactly full
	f(asking("3000m", "5000"), []int64{0, 0}, sized("a", "0", "0"), sim.Site{Node: object.Node("b")})
	f(asking("3000m", "5000"), []int64{50}, sized("a", "0", "10000")) // what is not offered does not count
}

func TestContainersWithoutRequestsCountDefaults(t *testing.T) {
	const quarterGi = "838860800" // four times 200Mi
	f := func(pod *corev1.Pod, want int64, pods ...*corev1.Pod) {
		t.Helper()
		expectScores(t, newFit(), pod, []int64{want}, sized("a", "400", quarterGi, pods...))
	}
	empty := object.Pod("p")
	f(empty, 75)
	f(empty, 50, empty)
	f(empty, 0, empty, empty, empty)
	f(none(), 100)
	f(none(), 75, empty)
	f(asking("0", "0"), 100) // asking for nothing is an answer
	f(object.Pod("p", object.CPU("200m")), 62)

	// The incoming pod's own resources do not reach the score, those on a node do.
	level := object.Pod("p")
	level.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: *asked("300m")}}
	f(level, 75)
	f(none(), 50, level)
}

func TestSidecarsCountInScores(t *testing.T) {
	pod := object.Pod("p", object.CPU("1000m"), object.Memory("0"), initial("1000m", true))
	pod.Spec.InitContainers[0].Resources.Requests[corev1.ResourceMemory] = *asked("2000")
	expectScores(t, newFit(), pod, []int64{65}, sized("a", "4000", "10000")) // (50 + 80) / 2
	pod.Spec.InitContainers[0].RestartPolicy = nil
	expectScores(t, newFit(), pod, []int64{77}, sized("a", "4000", "10000")) // (75 + 80) / 2
}

func TestWeightsAndExtendedResources(t *testing.T) {
	const cpu, mem, gpu = corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceName("example.com/gpu")
	weigh := func(list ...weighted) *Fit { return &Fit{score: &allocation{resources: list}} }
	pod := asking("3000m", "5000")

	memory := weigh(weighted{cpu, 1}, weighted{mem, 2})
	expectScores(t, memory, pod, []int64{41, 50}, sized("a", "4000", "10000"), sized("b", "6000", "10000"))

	with := func(s sim.Site, q string) sim.Site {
		s.Node.Status.Allocatable["example.com/gpu"] = *asked(q)
		return s
	}
	all := weigh(weighted{cpu, 1}, weighted{mem, 1}, weighted{gpu, 1})
	four, ten := with(sized("a", "6000", "10000"), "4"), with(sized("b", "6000", "10000"), "10")
	expectScores(t, all, pod, []int64{50, 50}, four, ten) // not requested
	two := asking("3000m", "5000", object.Resource("example.com/gpu", "2"))
	expectScores(t, all, two, []int64{50, 60}, four, ten)
	expectScores(t, all, two, []int64{50, 50}, sized("c", "6000", "10000"), four) // not offered

	storage := weigh(weighted{corev1.ResourceEphemeralStorage, 1})
	disk := func(q string) object.PodOption { return object.Resource(corev1.ResourceEphemeralStorage, q) }
	node := sim.Site{Node: object.Node("d", object.Resource(corev1.ResourceEphemeralStorage, "20")), Pods: []*corev1.Pod{object.Pod("u", disk("5"))}}
	expectScores(t, storage, object.Pod("p", disk("5")), []int64{50}, node)
	expectScores(t, storage, object.Pod("p"), []int64{75}, node) // never left out for not being requested
}

func TestScoresOfVastNodesStayInRange(t *testing.T) {
	vast := sized("a", "9223372036854775807", "50E")
	expectScores(t, newFit(), none(), []int64{100}, vast)
	expectScores(t, newFit(), asking("1m", "1"), []int64{99}, vast)
	expectScores(t, newFit(), asking("4611686018427387904m", "4Ei"), []int64{49}, vast)
	expectScores(t, newFit(), asking("10P", "50E"), []int64{0}, vast)
	vast.Pods = []*corev1.Pod{asking("10P", "50E"), asking("10P", "50E")}
	expectScores(t, newFit(), asking("1m", "1"), []int64{0}, vast)
}
