package engine

import (
	"maps"

	"github.com/berth-scheduler/berth/pkg/queue"
)

// Stats is how the engine stands, for those who look from outside. It is a copy.
type Stats struct {
	Pending map[queue.Place]int       // pods by where they wait
	Entries map[queue.Incoming]uint64 // entries into those places so far
	Waiting map[queue.Waiting]int     // pods that a plugin keeps waiting

	InFlight, Missable   int // pods that are being decided on, and events kept for them
	Binding              int // pods whose bind is out
	Nodes, Pods, Assumed int // in the cluster
	Decisions            uint64
}

// Stats returns how the engine stands.
func (e *Engine) Stats() *Stats {
	s := &Stats{
		Pending: map[queue.Place]int{},
		Entries: maps.Clone(e.queue.Entries()),
		Waiting: maps.Clone(e.queue.Waiting()),
		Nodes:   e.cluster.Nodes(), Binding: e.Binding(), Decisions: e.attempts,
	}
	for _, p := range []queue.Place{queue.Active, queue.Backoff, queue.Unschedulable, queue.Gated} {
		s.Pending[p] = e.queue.Len(p)
	}
	s.InFlight, s.Missable = e.queue.Missable()
	s.Pods, s.Assumed = e.cluster.Counts()
	return s
}
