package noderesources

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func asked(q string) *resource.Quantity {
	amount := resource.MustParse(q)
	return &amount
}

// initial adds an init container that requests CPU, a sidecar if it goes on running.
func initial(cpu string, sidecar bool) object.PodFunc {
	return withInit(corev1.ResourceCPU, cpu, sidecar)
}

func withInit(name corev1.ResourceName, q string, sidecar bool) object.PodFunc {
	return func(p *corev1.Pod) {
		c := corev1.Container{Name: "i", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{name: *asked(q)}}}
		if sidecar {
			always := corev1.ContainerRestartPolicyAlways
			c.RestartPolicy = &always
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
}

func TestInitContainersCountAtTheirMost(t *testing.T) {
	node := object.Node("n", object.CPU("10m"), object.Memory("20"))
	used := []*corev1.Pod{asking("5m", "5")}
	f := func(want string, options ...object.PodOption) {
		t.Helper()
		expectFit(t, node, used, object.Pod("p", options...), want)
	}
	f("Success", object.CPU("5m"), initial("5m", false), initial("5m", false)) // one after the other
	f("Unschedulable: Insufficient cpu", object.CPU("1m"), initial("8m", false))
	f("Unschedulable: Insufficient cpu", object.CPU("3m"), initial("3m", true)) // side by side
	f("UnschedulableAndUnresolvable: Insufficient cpu", object.CPU("1m"), initial("11m", false))
	expectFit(t, object.Node("n", object.CPU("2m")), nil, object.Pod("p", object.CPU("2m"), initial("1m", true)),
		"UnschedulableAndUnresolvable: Insufficient cpu")

	huge := object.Node("n", object.Resource("hugepages-2Mi", "6Mi"))
	pages := func(q string) object.PodFunc { return withInit("hugepages-2Mi", q, false) }
	expectFit(t, huge, nil, object.Pod("p", pages("4Mi"), pages("6Mi")), "Success")
	expectFit(t, huge, nil, object.Pod("p", pages("4Mi"), pages("8Mi")), "UnschedulableAndUnresolvable: Insufficient hugepages-2Mi")
}

func TestSidecarsCountWhereTheyStand(t *testing.T) {
	node := object.Node("n1", object.CPU("2"))
	tooMuch := "UnschedulableAndUnresolvable: Insufficient cpu"
	first := object.Pod("a", object.CPU("1"), initial("600m", true), initial("1500m", false)) // 2100m at start
	last := object.Pod("b", object.CPU("1"), initial("1500m", false), initial("600m", true))  // 1600m running
	heavy := last.DeepCopy()
	heavy.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: *asked("500m")}

	expectFit(t, node, nil, first, tooMuch)
	expectFit(t, node, nil, last, "Success")
	expectFit(t, node, nil, heavy, tooMuch)
}

func TestGiganticRequestIsNotNothing(t *testing.T) {
	node := object.Node("n1", object.CPU("4"), object.Memory("8Gi"))
	f := func(option object.PodOption, want string) {
		t.Helper()
		expectFit(t, node, nil, object.Pod("p", option), "UnschedulableAndUnresolvable: Insufficient "+want)
	}
	f(object.Memory("50E"), "memory")
	f(object.Memory("16Ei"), "memory")
	f(object.Memory("9223372036854775807"), "memory")
	f(object.CPU("10P"), "cpu")
	f(object.CPU("9223372036854775807m"), "cpu")

	full := []*corev1.Pod{object.Pod("u", object.Memory("50E")), object.Pod("v", object.Memory("9223372036854775807"))}
	expectFit(t, node, full, object.Pod("p", object.Memory("1")), "Unschedulable: Insufficient memory")
	expectFit(t, node, full, object.Pod("p", object.CPU("4")), "Success")

	vast := object.Node("n1", object.Memory("50E"))
	expectFit(t, vast, nil, object.Pod("p", object.Memory("16Ei")), "Success")
	expectFit(t, vast, full[:1], object.Pod("p", object.Memory("1")), "Unschedulable: Insufficient memory")
}

func TestResizeCountsAtItsLargest(t *testing.T) {
	resizing := func(reason string, was, wanted *corev1.Pod) *corev1.Pod {
		p := wanted.DeepCopy()
		old := was.Spec.Containers[0].Resources.Requests
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name: "c", AllocatedResources: old, Resources: &corev1.ResourceRequirements{Requests: old},
		}}
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: reason}}
		return p
	}
	node := object.Node("n", object.CPU("4"), object.Memory("8Gi"))
	f := func(reason, want string) {
		t.Helper()
		pod := resizing(reason, asking("1", "1Gi"), asking("3", "1Gi"))
		expectFit(t, node, []*corev1.Pod{pod}, asking("2", "1Gi"), want)
	}
	f(corev1.PodReasonDeferred, "Unschedulable: Insufficient cpu")
	f(corev1.PodReasonInfeasible, "Success") // the node never gives it more

	// A pod that asks again for its own node counts twice.
	deferred := resizing(corev1.PodReasonDeferred, asking("500m", "1000"), asking("800m", "1600"))
	small := object.Node("n", object.CPU("1000m"), object.Memory("2000"))
	expectFit(t, small, []*corev1.Pod{deferred}, deferred, "Unschedulable: Insufficient cpu, Insufficient memory")
	expectFit(t, small, []*corev1.Pod{deferred}, asking("1200m", "1"), "UnschedulableAndUnresolvable: Insufficient cpu")
}

func TestRequestsOfThePodReplaceThoseOfContainers(t *testing.T) {
	node := object.Node("n", object.CPU("2"))
	p := object.Pod("p", object.CPU("3"))
	p.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: *asked("1")}}
	expectFit(t, node, nil, p, "Success")
	expectFit(t, node, []*corev1.Pod{p}, asking("1", "0"), "Success")
	p.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: *asked("1100m")}
	expectFit(t, node, nil, p, "UnschedulableAndUnresolvable: Insufficient cpu")
}
