package queue

import (
	"time"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Place is where a pod is.
type Place uint8

// The places of a pod. Away means that Pop has given it away.
const (
	Away Place = iota
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
	Rejectors  []string      // who refused it last, the gate among them; empty after an error
	Pending    []string      // those of them that wait for something outside: no backoff
	Flushed    bool          // woken by the passing of time alone since its last attempt

	failures int           // attempts that plugins rejected
	errors   int           // attempts since then that failed otherwise
	readyAt  time.Duration // end of the backoff
	parkedAt time.Duration // when it last began to wait for an event
	order    uint64        // arrival, decides between equals
	index    int           // in its place
	kind     *kind         // while unschedulable
	mask     uint64        // rejectors, by their number in the profile
	counted  bool          // its rejectors are in the gauges

	trip *trip // from Pop to Done or return: what it may miss
}

func newItem(p *podspec.Pod, now time.Duration, order uint64) *Item {
	return &Item{Queued: framework.Queued{Pod: p, Since: now}, FirstTried: -1, order: order}
}

// isError reports whether the last attempt failed without a rejector.
func (it *Item) isError() bool { return len(it.Rejectors) == 0 }
