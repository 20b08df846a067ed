package engine

import (
	"maps"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// Stats is how the engine stands, for those who look from outside. It is a copy.
type Stats struct {
	Pending map[queue.Place]int       // pods by where they wait
	Entries map[queue.Incoming]uint64 // entries into those places so far
	Waiting map[queue.Waiting]int     // pods that a plugin keeps waiting

	Evaluations map[Evaluation]uint64 // of plugins so far, see runtime.Chain.Evaluations

	InFlight int            // pods that are being decided on
	Missable map[string]int // events kept for them, by label
	Binding  int            // pods whose bind is out

	Nodes, Pods, Assumed int // in the cluster
	Decisions            uint64
}

// Evaluation is a plugin of a profile at one of the points where it is asked.
type Evaluation struct {
	Profile, Plugin string
	At              config.Point
}

// Stats returns how the engine stands.
func (e *Engine) Stats() *Stats {
	s := &Stats{
		Pending: map[queue.Place]int{}, Evaluations: map[Evaluation]uint64{},
		Entries: maps.Clone(e.queue.Entries()),
		Waiting: maps.Clone(e.queue.Waiting()),
		Nodes:   e.cluster.Nodes(), Binding: e.Binding(), Decisions: e.attempts,
	}
	for _, p := range []queue.Place{queue.Active, queue.Backoff, queue.Unschedulable, queue.Gated} {
		s.Pending[p] = e.queue.Len(p)
	}
	for profile, chain := range e.chains {
		chain.Evaluations(func(plugin string, at config.Point, times uint64) {
			s.Evaluations[Evaluation{profile, plugin, at}] = times
		})
	}
	s.InFlight, s.Missable = e.queue.Missable()
	s.Pods, s.Assumed = e.cluster.Counts()
	return s
}
