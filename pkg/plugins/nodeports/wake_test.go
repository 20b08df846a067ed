package nodeports

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestPortThatIsFreedWakes(t *testing.T) {
	pod := object.Pod("p", port("127.0.0.1", tcp, 80), port("", udp, 443))
	f := func(before any, want string) {
		t.Helper()
		if got := sim.Wake(NodePorts{}, fwk.AssignedPod, fwk.Delete, pod, before, nil); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	left := func(options ...object.PodOption) *corev1.Pod {
		return object.Pod("q", append(options, object.OnNode("n"))...)
	}
	f(left(port("127.0.0.1", tcp, 80)), "Queue")
	f(left(port("", tcp, 80)), "Queue")
	f(left(port("10.0.0.1", udp, 443)), "Queue")
	f(left(port("", tcp, 1), port("", tcp, 80)), "Queue")
	f(inside(left(port("", tcp, 80)), always()), "Queue")
	f(left(port("127.0.0.2", tcp, 80)), "QueueSkip") // another address
	f(left(port("127.0.0.1", udp, 80)), "QueueSkip")
	f(left(port("", tcp, 443)), "QueueSkip")
	f(left(), "QueueSkip")
	f(inside(left(port("", tcp, 80)), nil), "QueueSkip")

	f(object.Pod("q", port("", tcp, 80)), "QueueSkip") // it was on no node
	nominated := object.Pod("q", port("", tcp, 80))
	nominated.Status.NominatedNodeName = "n"
	f(nominated, "Queue")
	f(object.Node("n"), "Queue: expected *v1.Pod as the old object of an event, got *v1.Node")
}

func always() *corev1.ContainerRestartPolicy {
	policy := corev1.ContainerRestartPolicyAlways
	return &policy
}

func TestOnlyNewNodesAndPodsThatLeaveWake(t *testing.T) {
	f := func(on fwk.EventResource, action fwk.ActionType, want string) {
		t.Helper()
		other := object.Pod("q", port("", tcp, 80), object.OnNode("n"))
		if got := sim.Wake(NodePorts{}, on, action, object.Pod("p", port("", tcp, 80)), other, other); got != want {
			t.Errorf("%s %v: %s, want %s", on, action, got, want)
		}
	}
	f(fwk.Node, fwk.Add, "Queue") // whatever it is
	f(fwk.Node, fwk.Delete, "none")
	f(fwk.Node, fwk.UpdateNodeLabel, "none")
	f(fwk.AssignedPod, fwk.Add, "none")
	f(fwk.AssignedPod, fwk.UpdatePodLabel, "none")
	f(fwk.AssignedPod, fwk.UpdatePodScaleDown, "none")
	f(fwk.TargetPod, fwk.UpdatePodLabel, "none")
}

// Two pods that were on their nodes before anybody looked may have one port in common.
// It is free when both have left, whoever is first.
func TestPortIsTakenUntilItsLastPodLeaves(t *testing.T) {
	specs := podspec.NewCompiler()
	c := cluster.New(specs.Resources)
	c.SetNode(object.Node("n"))
	bound := func(name string) *podspec.Pod {
		p := object.Pod(name, port("", tcp, 80), port("10.0.0.1", tcp, 80), object.OnNode("n"))
		p.UID = types.UID(name)
		return specs.Compile(p)
	}
	c.SetPod(bound("a"))
	c.SetPod(bound("b"))
	cycle := &framework.Cycle{View: &c.View, Try: c.Try(), Pod: specs.Compile(object.Pod("p", port("10.0.0.1", tcp, 80)))}
	fits := func(want bool) {
		t.Helper()
		var fit bitset.Set
		fit.CopyFrom(c.Live())
		if err := (NodePorts{}).Narrow(cycle, &fit, nil); err != nil || fit.Empty() == want {
			t.Errorf("fits: %v, %v, want %v", !fit.Empty(), err, want)
		}
	}
	fits(false)
	c.Try().Remove("a")
	fits(false)
	c.Try().Remove("b")
	fits(true)
	c.Try().Rollback(0)
	fits(false)
	c.Remove("b")
	fits(false)
	c.Remove("a")
	fits(true)
}

func TestEqualFragmentsGetEqualAnswers(t *testing.T) {
	plugin := func() framework.Plugin { return NodePorts{} }
	sim.JudgeFragment(t, 80, (*sim.Gen).Furnished, plugin)
	sim.JudgeFragment(t, 80, sim.Kind("ports"), plugin)
}

func TestFragmentTellsPortsApart(t *testing.T) {
	specs := podspec.NewCompiler()
	fragment := func(options ...object.PodOption) string {
		return NodePorts{}.Fragment(specs.Compile(object.Pod("p", options...)))
	}
	seen := map[string]bool{}
	for _, options := range [][]object.PodOption{
		{}, {port("", tcp, 80)}, {port("", udp, 80)}, {port("", tcp, 81)}, {port("10.0.0.1", tcp, 80)}, {port("", tcp, 80), port("", udp, 80)},
	} {
		if key := fragment(options...); seen[key] {
			t.Errorf("two kinds of pods have the fragment %s", key)
		} else {
			seen[key] = true
		}
	}
	if a, b := fragment(port("", "", 80)), fragment(port("0.0.0.0", tcp, 80), object.CPU("1"), object.Label("x", "y")); a != b {
		t.Errorf("fragments %s and %s, want one for the same port", a, b)
	}
}
