package schedulinggates

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// Judge: the cases below. The rule looks at the pod alone, so there is no node to
// define it for.

func TestPodWaitsForItsGates(t *testing.T) {
	f := func(want string, gates ...string) {
		t.Helper()
		var options []object.PodOption
		for _, gate := range gates {
			options = append(options, object.Gate(gate))
		}
		got := ""
		if r := (SchedulingGates{}).PreEnqueue(podspec.NewCompiler().Compile(object.Pod("p", options...))); r != nil {
			got = r.Code.String() + ": " + strings.Join(r.Reasons, ", ")
		}
		if got != want {
			t.Errorf("gates %v: %q, want %q", gates, got, want)
		}
	}
	f("")
	f("UnschedulableAndUnresolvable: waiting for scheduling gates: [foo]", "foo")
	f("UnschedulableAndUnresolvable: waiting for scheduling gates: [foo bar]", "foo", "bar") // as in the spec
	f("UnschedulableAndUnresolvable: waiting for scheduling gates: [b a]", "b", "a")
}

func TestOnlyTheLastGateOfThePodItselfWakes(t *testing.T) {
	gated, free := object.Pod("p", object.Gate("foo")), object.Pod("p")
	f := func(on fwk.EventResource, action fwk.ActionType, before, after *corev1.Pod, want string) {
		t.Helper()
		if got := sim.Wake(SchedulingGates{}, on, action, gated, before, after); got != want {
			t.Errorf("%s %v: %s, want %s", on, action, got, want)
		}
	}
	f(fwk.TargetPod, fwk.UpdatePodSchedulingGatesEliminated, gated, free, "Queue")
	f(fwk.TargetPod, fwk.UpdatePodLabel, gated, gated, "none")
	f(fwk.UnscheduledPod, fwk.UpdatePodSchedulingGatesEliminated, gated, free, "none") // another pod's
	f(fwk.AssignedPod, fwk.Delete, free, nil, "none")
}
