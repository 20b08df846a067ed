package nodeaffinity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func expectWake(t *testing.T, plugin *NodeAffinity, action fwk.ActionType, pod *corev1.Pod, before, after any, want string) {
	t.Helper()
	if got := sim.Wake(plugin, fwk.Node, action, pod, before, after); got != want {
		t.Errorf("%s, %v: %s, want %s", sim.PodLine(pod), action, got, want)
	}
}

func TestNodeThatIsSelectedNowWakes(t *testing.T) {
	const relabel = fwk.UpdateNodeLabel
	bare, ssd, hdd := object.Node("n"), object.Node("n", object.Label("disk", "ssd")), object.Node("n", object.Label("disk", "hdd"))
	f := func(action fwk.ActionType, before, after any, want string) {
		t.Helper()
		for _, pod := range []*corev1.Pod{object.Pod("p", object.NodeSelector("disk", "ssd")), affine(required(where(in("disk", "ssd"))))} {
			expectWake(t, with(nil), action, pod, before, after, want)
		}
	}
	f(fwk.Add, nil, ssd, "Queue")
	f(fwk.Add, nil, hdd, "QueueSkip")
	f(fwk.Add, nil, bare, "QueueSkip")
	f(relabel, bare, ssd, "Queue")
	f(relabel, hdd, ssd, "Queue")
	f(relabel, ssd, hdd, "QueueSkip")
	f(relabel, ssd, ssd.DeepCopy(), "QueueSkip") // another label changed
	f(relabel, bare, hdd, "QueueSkip")

	f(fwk.UpdateNodeTaint, bare, ssd, "none")
	f(fwk.UpdateNodeAllocatable, bare, ssd, "none")
	f(fwk.Delete, ssd, nil, "none")
	f(fwk.Add, nil, object.Pod("x"), "Queue: expected *v1.Node as the new object of an event, got *v1.Pod")
	f(relabel, object.Pod("x"), ssd, "Queue: expected *v1.Node as the old object of an event, got *v1.Pod")
}

func TestEveryWayToSelectWakes(t *testing.T) {
	before, after := object.Node("n"), object.Node("n", object.Label("gen", "2"))
	f := func(terms *corev1.NodeAffinity, want string) {
		t.Helper()
		expectWake(t, with(nil), fwk.UpdateNodeLabel, affine(terms), before, after, want)
	}
	f(required(where(expr("gen", corev1.NodeSelectorOpGt, "1"))), "Queue")
	f(required(where(expr("gen", corev1.NodeSelectorOpGt, "2"))), "QueueSkip")
	f(required(where(in("gen", "9")), where(in("gen", "2"))), "Queue")
	f(required(where(expr("gen", corev1.NodeSelectorOpDoesNotExist)), where(in("gen", "2"))), "QueueSkip") // it held before
	f(required(named("n")), "QueueSkip")
	f(required(), "QueueSkip")
	f(&corev1.NodeAffinity{}, "QueueSkip")       // it takes every node
	f(preferred(1, in("gen", "2")), "QueueSkip") // what is preferred keeps nobody away
	expectWake(t, with(nil), fwk.Add, affine(required(named("n"))), nil, after, "Queue")
	expectWake(t, with(nil), fwk.Add, affine(required(named("m"))), nil, after, "QueueSkip")
}

func TestTermsThatDoNotParseWakeWithAnError(t *testing.T) {
	bad := where(expr("gen", corev1.NodeSelectorOpGt, "x"))
	const parse = `Queue: nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`
	before, after := object.Node("n"), object.Node("n", object.Label("gen", "2"))
	expectWake(t, with(nil), fwk.Add, affine(required(bad)), nil, after, parse)
	expectWake(t, with(nil), fwk.UpdateNodeLabel, affine(required(bad, where(in("gen", "2")))), before, after, parse) // of the old state
	expectWake(t, with(nil), fwk.Add, affine(required(bad, where(in("gen", "2")))), nil, after, "Queue")
	expectWake(t, with(nil), fwk.Add, affine(required(bad), object.NodeSelector("gen", "9")), nil, after, "QueueSkip")
}

func TestAddedAffinityCountsInHints(t *testing.T) {
	ssd := required(where(in("disk", "ssd")))
	pod := object.Pod("p", object.NodeSelector("gen", "2"))
	node := func(options ...object.NodeOption) *corev1.Node { return object.Node("n", options...) }
	disk, gen := object.Label("disk", "ssd"), object.Label("gen", "2")
	f := func(before, after any, want string) {
		t.Helper()
		action := fwk.UpdateNodeLabel
		if before == nil {
			action = fwk.Add
		}
		expectWake(t, with(ssd), action, pod, before, after, want)
	}
	f(nil, node(gen), "QueueSkip") // the profile refuses it
	f(nil, node(disk), "QueueSkip")
	f(nil, node(disk, gen), "Queue")
	f(node(disk), node(disk, gen), "Queue")
	f(node(gen), node(disk, gen), "Queue") // the profile did before
	f(node(), node(disk, gen), "Queue")
	f(node(disk, gen), node(disk, gen, object.Label("x", "y")), "QueueSkip")
	f(node(disk, gen), node(gen), "QueueSkip")
}
