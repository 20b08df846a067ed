package engine

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// gated is a pod of ours with gates.
func gated(name string, gates []string, options ...object.PodOption) *corev1.Pod {
	p := object.Pod(name, append(options, object.SchedulerName(corev1.DefaultSchedulerName))...)
	p.UID = types.UID(name)
	for _, gate := range gates {
		object.Gate(gate)(p)
	}
	return p
}

// gauges draws who waits where, and who keeps pods waiting.
func gauges(e *Engine) string {
	s := e.Stats()
	text := fmt.Sprintf("active %d, backoff %d, unschedulable %d, gated %d;",
		s.Pending[queue.Active], s.Pending[queue.Backoff], s.Pending[queue.Unschedulable], s.Pending[queue.Gated])
	for _, plugin := range []string{"SchedulingGates", "NodeResourcesFit"} {
		text += fmt.Sprintf(" %s %d", plugin, s.Waiting[queue.Waiting{Plugin: plugin, Profile: corev1.DefaultSchedulerName}])
	}
	return text
}

// The gauges follow gated pods that are let go, are deleted, or are none of ours (case
// B77).
func TestGaugesFollowGatedPods(t *testing.T) {
	e := newEngine(t)
	step := func(in Input) Output { return e.Step(clock.Now{}, in) }
	expect := func(what, want string) {
		t.Helper()
		if got := gauges(e); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	const nobody = "active 0, backoff 0, unschedulable 0, gated 0; SchedulingGates 0 NodeResourcesFit 0"
	const oneGated = "active 0, backoff 0, unschedulable 0, gated 1; SchedulingGates 1 NodeResourcesFit 0"
	step(NodeSeen{Node: object.Node("n1", object.CPU("1"))})
	one := []string{"t/a"}

	small := object.CPU("100m")
	step(PodSeen{Pod: gated("a", one, small)})
	expect("a is gated", oneGated)
	step(PodSeen{Pod: gated("a", nil, small)})
	bind := step(Decide{}).Effects[0].(Bind)
	step(BindDone{Pod: bind.Pod, Attempt: bind.Attempt, Result: Bound})
	step(PodSeen{Pod: gated("a", nil, small, object.OnNode("n1"))})
	expect("a was let go and is bound", nobody)

	large := object.CPU("50")
	step(PodSeen{Pod: gated("b", one, large)})
	step(PodSeen{Pod: gated("b", nil, large)})
	step(Decide{})
	expect("b was let go and does not fit", "active 0, backoff 0, unschedulable 1, gated 0; SchedulingGates 0 NodeResourcesFit 1")
	step(PodGone{Pod: podspec.Ref{Namespace: "default", Name: "b", UID: "b"}})
	expect("b is gone", nobody)

	step(PodSeen{Pod: gated("c", one)})
	step(PodGone{Pod: podspec.Ref{Namespace: "default", Name: "c", UID: "c"}})
	expect("c was deleted while gated", nobody)

	step(PodSeen{Pod: gated("d", []string{"t/a", "t/b"})})
	step(PodSeen{Pod: gated("d", one)})
	expect("d has one gate left", oneGated)
	foreign := gated("e", one)
	foreign.Spec.SchedulerName = "somebody-else"
	step(PodSeen{Pod: foreign})
	expect("e is none of ours", oneGated)
}

func TestStatsAreACopy(t *testing.T) {
	e := newEngine(t)
	e.Step(clock.Now{}, PodSeen{Pod: gated("a", []string{"t/a"})})
	want := gauges(e)
	s := e.Stats()
	clear(s.Pending)
	clear(s.Waiting)
	clear(s.Entries)
	if got := gauges(e); got != want || len(e.Stats().Entries) == 0 {
		t.Errorf("after somebody cleared his copy: %s and %d entries, want %s", got, len(e.Stats().Entries), want)
	}
}
