package queue

import (
	"time"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Probe measures how long hints take. It reads the clock, which a queue must not.
type Probe interface {
	// Begin returns the time.
	Begin() time.Duration
	// Hint is told what a plugin answered that was asked since then. It returns the time.
	Hint(a Answer, since time.Duration) (now time.Duration)
}

// Answer is what a plugin says to an event, for all pods of a kind.
type Answer struct {
	Plugin, Event string
	Hint          string      // Queue, QueueSkip or Error
	Pod           podspec.Ref // one of the kind
	Err           error       // with Error; perhaps a framework.PanicError
}

// question starts the measure of the first question about an event.
func (q *Queue) question() time.Duration {
	if q.cfg.Probe == nil {
		return 0
	}
	return q.cfg.Probe.Begin()
}

// answered ends it, and starts the next.
func (q *Queue) answered(plugin string, it *Item, ev *Event, hint fwk.QueueingHint, err error, since time.Duration) time.Duration {
	if q.cfg.Probe == nil {
		return 0
	}
	a := Answer{Plugin: plugin, Event: ev.Label(), Hint: hint.String(), Pod: it.Pod.Ref}
	if err != nil {
		a.Hint, a.Err = "Error", err
	}
	return q.cfg.Probe.Hint(a, since)
}
