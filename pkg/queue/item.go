package queue

import (
	"time"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Place is where a pod is.
type Place uint8

// The places of a pod. InFlight means that Pop has given it away.
const (
	InFlight Place = iota
	Active
	Backoff
	Unschedulable
	Gated
)

// String names the place as metrics do.
func (p Place) String() string {
	return [...]string{"inflight", "active", "backoff", "unschedulable", "gated"}[p]
}

// Item is a pod and its history in the queue.
type Item struct {
	framework.Queued

	Place      Place
	FirstTried time.Duration // monotonic time of the first entry into active; -1 before
	Gate       string        // the plugin that keeps it out of active
	Rejectors  []string      // who refused it last; empty after an error

	failures int           // attempts that plugins rejected
	errors   int           // attempts since then that failed otherwise
	readyAt  time.Duration // end of the backoff
	parkedAt time.Duration // when it became unschedulable
	order    uint64        // arrival, decides between equals
	seen     uint64        // events that had come when it was popped
	index    int           // in its place's slice
}

func newItem(p *podspec.Pod, now time.Duration, order uint64) *Item {
	return &Item{Queued: framework.Queued{Pod: p, Since: now}, FirstTried: -1, order: order}
}

// backoffAfter returns how long a pod waits after its nth failure.
func backoffAfter(n int, initial, most time.Duration) time.Duration {
	if n == 0 || most <= 0 {
		return 0
	}
	if shift := n - 1; shift < 62 && initial <= most>>shift {
		return initial << shift
	}
	return most
}
