package scheduler

import (
	"time"

	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// Log is the Observer that writes one line for each decision, at verbosity 2, and
// errors and what took long always.
type Log struct{ placed map[uint64]engine.Decision }

// NewLog returns a Log.
func NewLog() *Log { return &Log{placed: map[uint64]engine.Decision{}} }

var _ Observer = (*Log)(nil)

// long is how much time a decision takes that is worth a line whatever came of it.
const long = 100 * time.Millisecond

// Decided logs a decision that placed no pod, or took long. A placement is logged when it has
// settled, and from verbosity 3 on when it is tried too.
func (l *Log) Decided(d engine.Decision, _ time.Time, took time.Duration) {
	pod := klog.KRef(d.Pod.Namespace, d.Pod.Name)
	if took > long {
		klog.InfoS("Scheduling a pod took long", "pod", pod, "took", took, "nodes", d.Nodes, "evaluatedNodes", d.Looked)
	}
	switch d.Verdict {
	case engine.Placed:
		l.placed[d.Seq] = d
		klog.V(3).InfoS("Attempting to bind pod to node", "pod", pod, "node", d.Node)
	case engine.Unschedulable:
		klog.V(2).InfoS("Unable to schedule pod; no fit; waiting", "pod", pod, "err", d.Message)
	case engine.Failed:
		klog.ErrorS(nil, "Error scheduling pod; retrying", "pod", pod, "err", d.Message)
		if d.Stack != "" {
			klog.ErrorS(nil, "A plugin panicked", "pod", pod, "stack", d.Stack)
		}
	case engine.Skipped:
		klog.V(3).InfoS("Skip schedule deleting pod", "pod", pod)
	}
}

// Settled logs how a placement ended.
func (l *Log) Settled(s engine.Settled, _ time.Time) {
	d := l.placed[s.Seq]
	delete(l.placed, s.Seq)
	pod := klog.KRef(s.Pod.Namespace, s.Pod.Name)
	if s.Result != engine.Bound {
		klog.V(2).InfoS("Pod was not bound", "pod", pod, "node", s.Node, "result", s.Result)
		return
	}
	klog.V(2).InfoS("Successfully bound pod to node", "pod", pod, "node", s.Node,
		"seq", s.Seq, "evaluatedNodes", d.Looked, "feasibleNodes", d.Feasible)
}

// Handled logs nothing: there are too many of them.
func (*Log) Handled([]string, time.Duration) {}
