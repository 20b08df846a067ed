package queue

import (
	"time"

	fwk "k8s.io/kube-scheduler/framework"
)

// Probe measures how long hints take. It reads the clock, which a queue must not.
type Probe interface {
	// Begin returns the time, and whether what is asked about the event that comes now is
	// timed. That is for a sample of them, as a cheap hint costs less than the clock.
	Begin() (now time.Duration, each bool)
	// Hint is told what a plugin answered that was asked since then. It returns the time.
	Hint(a Answer, since time.Duration) (now time.Duration)
}

// Answer is what a plugin says to an event, for all pods of a kind.
type Answer struct {
	Plugin, Event string
	Hint          string // Queue, QueueSkip or Error
}

// begin chooses whether the questions about an event are timed.
func (q *Queue) begin() {
	if q.cfg.Probe != nil {
		_, q.timed = q.cfg.Probe.Begin()
	}
}

// question starts the measure of the first of them, if they are timed.
func (q *Queue) question() (since time.Duration) {
	if q.timed {
		since, _ = q.cfg.Probe.Begin()
	}
	return since
}

// answered ends it, and starts the next.
func (q *Queue) answered(plugin string, ev *Event, hint fwk.QueueingHint, err error, since time.Duration) time.Duration {
	if !q.timed {
		return 0
	}
	a := Answer{Plugin: plugin, Event: ev.Label(), Hint: hint.String()}
	if err != nil {
		a.Hint = "Error"
	}
	return q.cfg.Probe.Hint(a, since)
}
