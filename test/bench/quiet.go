package main

import "time"

const (
	quietWindow = 2 * time.Second
	quietPart   = 0.01             // of a CPU
	youngest    = 4 * time.Second  // at which a scheduler without pods may count as started
	stuckWindow = 15 * time.Second // longer than any backoff
)

// sample is what is known of a run at a time after its begin.
type sample struct {
	at     time.Duration
	cpu    time.Duration // of the scheduler
	bound  int
	events int
}

// state is how far a run is.
type state int

const (
	busy  state = iota
	quiet       // everything is done
	stuck       // something is missing and nothing happens any more
)

// quiescence tells when a run is over: everything is bound and told, and the scheduler has been idle for a while.
type quiescence struct {
	want    int // pods to be bound and told
	samples []sample
	done    time.Duration // when they first were; 0 before
}

// add takes the next sample and says how far the run is.
func (q *quiescence) add(s sample) state {
	q.samples = append(q.samples, s)
	for len(q.samples) > 1 && s.at-q.samples[1].at >= stuckWindow {
		q.samples = q.samples[1:] // one that is old enough stays
	}
	done := s.bound >= q.want && s.events >= q.want
	if done && q.done == 0 {
		q.done = s.at
	}
	switch {
	case done && (q.want > 0 || s.at >= youngest) && q.idleFor(quietWindow):
		return quiet
	case !done && q.idleFor(stuckWindow):
		return stuck
	}
	return busy
}

// idleFor tells whether in all the time before the last sample nothing came and hardly any CPU was used.
func (q *quiescence) idleFor(window time.Duration) bool {
	last := q.samples[len(q.samples)-1]
	for i := len(q.samples) - 1; i >= 0; i-- {
		s := q.samples[i]
		if s.bound != last.bound || s.events != last.events {
			return false
		}
		if elapsed := last.at - s.at; elapsed >= window {
			return (last.cpu - s.cpu).Seconds() < quietPart*elapsed.Seconds()
		}
	}
	return false
}
