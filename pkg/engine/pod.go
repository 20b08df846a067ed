package engine

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// state is where a pod that is ours is on its way.
type state uint8

const (
	queued  state = iota // in the queue: active, backoff, unschedulable or gated
	asking               // an asker has been asked, or the pod is in line for one
	waiting              // chosen and reserved; Permit or a Hold is not ready
	binding              // a Bind is out
	unknown              // its answer was lost; the same Bind goes out again
	bound                // it happened; the pod has not been seen on its node yet
	dropped              // being deleted: never to be placed, waiting to be gone
)

// reserved reports whether the pod counts on a row as assumed.
func (s state) reserved() bool { return s == waiting || s == binding || s == unknown || s == bound }

// isBeingBound reports whether a Bind is out whose end is not known.
func (s state) isBeingBound() bool { return s == binding || s == unknown }

// to moves a pod to a state.
func (e *Engine) to(p *pod, s state) {
	if p.state.isBeingBound() {
		e.binds--
	}
	if p.state = s; s.isBeingBound() {
		e.binds++
	}
}

// pod is the engine's record of one pod that is ours and not yet seen on a node.
type pod struct {
	spec  *podspec.Pod // as last seen
	chain *runtime.Chain
	state state

	// What was sent and has not been seen on the pod yet; nil when nothing was.
	written   *corev1.PodCondition
	nominated *string

	looked  int    // nodes that the attempt looked at
	attempt uint64 // the running or last attempt; inputs for another are ignored

	// While asking:
	answers []Answered // from the first askers, in their order

	// From reserved on:
	chosen  *podspec.Pod // the version that the decision was made for
	node    string
	since   time.Duration // monotonic time: waits on Permit, then of the first Bind
	holds   []held        // in the order they were taken
	waits   []wait
	pending []held        // those that are Awaited and were not ready yet
	retries int           // of the bind
	again   time.Duration // when it is repeated, while that is not known
	failed  int           // how often the API server answered it with a failure of its own
	looks   bool          // the last repetition was a look
	open    bool          // a placement was announced that has not settled
}

// held is something that a Reserve plugin took.
type held struct {
	plugin string
	framework.Hold
	until time.Duration // it must be ready then; 0 until it was asked in vain, or without a limit
}

// wait is a Permit plugin that has not let the pod go yet.
type wait struct {
	plugin  string
	timeout time.Duration
	until   time.Duration
}
