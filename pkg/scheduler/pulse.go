package scheduler

import (
	"sync/atomic"
	"time"
)

// origin is what times are counted from that must fit into a number.
var origin = time.Now()

// pulse says since when the loop has been at its present turn: in time since origin, 0
// while it rests.
type pulse struct{ since atomic.Int64 }

// beat says that a turn begins.
func (p *pulse) beat() { p.since.Store(int64(time.Since(origin))) }

// rest says that there is nothing to do.
func (p *pulse) rest() { p.since.Store(0) }

// Turning returns how long the loop has been at its present turn, 0 while it sleeps.
func (s *Scheduler) Turning() time.Duration {
	since := s.pulse.since.Load()
	if since == 0 {
		return 0
	}
	return time.Since(origin) - time.Duration(since)
}
