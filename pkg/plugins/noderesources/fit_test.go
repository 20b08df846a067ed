package noderesources

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestFilterFollowsThePlainDefinition(t *testing.T) {
	sim.Judge(t, 300, func() framework.Filter { return newFit() }, plainFit)
}

// expectFit asks about a node with pods on it.
func expectFit(t *testing.T, node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod, want string) {
	t.Helper()
	if got := sim.Ask(newFit(), node, pods, pod); got != want {
		t.Errorf("%s on %s: %s, want %s", sim.PodLine(pod), sim.NodeLine(node), got, want)
	}
}

func asking(cpu, memory string, options ...object.PodOption) *corev1.Pod {
	return object.Pod("p", append([]object.PodOption{object.CPU(cpu), object.Memory(memory)}, options...)...)
}

func TestExactlyTheRestFits(t *testing.T) {
	node := object.Node("n", object.CPU("10m"), object.Memory("20"), object.Resource(corev1.ResourceEphemeralStorage, "20"))
	f := func(used, pod *corev1.Pod, want string) {
		t.Helper()
		expectFit(t, node, []*corev1.Pod{used}, pod, want)
	}
	f(asking("10m", "20"), object.Pod("p"), "Success") // who asks for nothing needs no room
	f(asking("5m", "5"), asking("5m", "15"), "Success")
	f(asking("5m", "5"), asking("6m", "15"), "Unschedulable: Insufficient cpu")
	f(asking("5m", "5"), asking("5m", "16"), "Unschedulable: Insufficient memory")
	f(asking("10m", "20"), asking("1m", "1"), "Unschedulable: Insufficient cpu, Insufficient memory")
	f(asking("5m", "5"), asking("11m", "1"), "UnschedulableAndUnresolvable: Insufficient cpu")
	f(asking("5m", "5"), asking("11m", "16"), "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory")
	f(asking("5m", "5"), asking("6m", "21"), "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory")

	overhead := asking("3m", "5")
	overhead.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: *asked("3m"), corev1.ResourceMemory: *asked("11")}
	f(asking("5m", "5"), overhead, "Unschedulable: Insufficient cpu, Insufficient memory")

	disk := func(q string) *corev1.Pod {
		return object.Pod("p", object.Resource(corev1.ResourceEphemeralStorage, q))
	}
	f(disk("10"), disk("10"), "Success")
	f(disk("10"), disk("11"), "Unschedulable: Insufficient ephemeral-storage")
}

func TestPodLimitComesFirst(t *testing.T) {
	node := object.Node("n", object.CPU("10m"), object.Memory("20"),
		object.Resource(corev1.ResourceEphemeralStorage, "20"), object.Pods("1"))
	full := []*corev1.Pod{asking("10m", "20", object.Resource(corev1.ResourceEphemeralStorage, "20"))}
	more := asking("1m", "1", object.Resource(corev1.ResourceEphemeralStorage, "1"))

	expectFit(t, node, full, object.Pod("p"), "Unschedulable: Too many pods")
	expectFit(t, node, full, more,
		"Unschedulable: Too many pods, Insufficient cpu, Insufficient memory, Insufficient ephemeral-storage")
	expectFit(t, node, nil, more, "Success")

	unsaid := object.Node("n", object.CPU("4"))
	delete(unsaid.Status.Allocatable, corev1.ResourcePods)
	expectFit(t, unsaid, nil, object.Pod("p"), "Unschedulable: Too many pods")
	expectFit(t, object.Node("n", object.Pods("0")), nil, object.Pod("p"), "Unschedulable: Too many pods")
}

func TestScalarsAreCountedByName(t *testing.T) {
	node := object.Node("n", object.CPU("1"), object.Resource("example.com/gpu", "4"), object.Resource("hugepages-2Mi", "4Mi"))
	f := func(name corev1.ResourceName, q, want string) {
		t.Helper()
		expectFit(t, node, []*corev1.Pod{object.Pod("u", object.Resource("example.com/gpu", "1"))}, object.Pod("p", object.Resource(name, q)), want)
	}
	f("example.com/gpu", "3", "Success")
	f("example.com/gpu", "4", "Unschedulable: Insufficient example.com/gpu")
	f("example.com/gpu", "5", "UnschedulableAndUnresolvable: Insufficient example.com/gpu")
	f("example.com/none", "0", "Success")
	f("example.com/none", "1", "UnschedulableAndUnresolvable: Insufficient example.com/none")
	f("hugepages-2Mi", "4Mi", "Success")
	f("hugepages-2Mi", "6Mi", "UnschedulableAndUnresolvable: Insufficient hugepages-2Mi")
	f("kubernetes.io/something", "1", "UnschedulableAndUnresolvable: Insufficient kubernetes.io/something")
	f("attachable-volumes-x", "1", "UnschedulableAndUnresolvable: Insufficient attachable-volumes-x")
	f("gpu", "1", "Success") // neither native nor prefixed
	f("requests.example.com/gpu", "9", "Success")
	f(corev1.ResourcePods, "9", "Success")
}

// ignoring is Fit with a resource, or a group, that the filter leaves out.
func ignoring(t *testing.T, name, group string) *Fit {
	t.Helper()
	fit, err := NewFit(&configv1.NodeResourcesFitArgs{IgnoredResources: []string{name}, IgnoredResourceGroups: []string{group}})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

func TestIgnoredResourcesAreLeftOut(t *testing.T) {
	f := func(fit *Fit, asked corev1.ResourceName, want string) {
		t.Helper()
		if got := sim.Ask(fit, object.Node("n"), nil, object.Pod("p", object.Resource(asked, "1"))); got != want {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
	const short = "UnschedulableAndUnresolvable: Insufficient "
	f(ignoring(t, "example.com/gpu", ""), "example.com/gpu", "Success")
	f(ignoring(t, "example.com/gpu", ""), "example.com/nic", short+"example.com/nic")
	f(ignoring(t, "", "example.com"), "example.com/nic", "Success")
	f(ignoring(t, "", "example.com"), "example.org/nic", short+"example.org/nic")
	f(ignoring(t, "", "kubernetes.io"), "kubernetes.io/something", short+"kubernetes.io/something") // not extended
	f(ignoring(t, "hugepages-2Mi", ""), "hugepages-2Mi", short+"hugepages-2Mi")
	f(ignoring(t, "cpu", ""), "cpu", short+"cpu")
}

func TestFragmentTellsRequestsApart(t *testing.T) {
	specs := podspec.NewCompiler()
	fragment := func(p *corev1.Pod) string { return newFit().Fragment(specs.Compile(p)) }
	same := asking("1", "1Gi", object.Label("app", "x"), object.Namespace("other"))
	if fragment(asking("1", "1Gi")) != fragment(same) {
		t.Error("equal requests have different fragments")
	}
	resized := asking("1", "1Gi") // which its hints tell from others
	resized.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "c", AllocatedResources: corev1.ResourceList{corev1.ResourceCPU: *asked("2")},
	}}
	seen := map[string]string{}
	for _, p := range []*corev1.Pod{object.Pod("p"), asking("1", "1Gi"), asking("1", "2Gi"), asking("2", "1Gi"), twoContainers(), resized} {
		key := fragment(p)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have one fragment", sim.PodLine(p), other)
		}
		seen[key] = sim.PodLine(p)
	}
}

// twoContainers asks for what one does, but scores count a default for the second.
func twoContainers() *corev1.Pod {
	p := asking("1", "1Gi")
	p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "d"})
	return p
}
