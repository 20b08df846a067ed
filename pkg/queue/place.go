package queue

import (
	"slices"
	"time"

	"github.com/berth-scheduler/berth/pkg/clock"
)

// move puts an item that is in no place where a verdict sends it.
func (q *Queue) move(now clock.Now, it *Item, v verdict, why string) {
	switch {
	case v == stay:
		q.stats.incoming(Unschedulable, why)
		it.parkedAt = now.Mono
		q.settle(it, Unschedulable)
	case v == afterBackoff && it.readyAt > now.Mono:
		q.delay(now, it, why)
	default:
		q.activate(now, it, why)
	}
}

// delay puts an item into backoff. As it may be popped from there, gates hold here too.
func (q *Queue) delay(now clock.Now, it *Item, why string) {
	if q.cfg.PopFromBackoff && q.gate(now, it, why) {
		return
	}
	q.stats.incoming(Backoff, why)
	it.Place = Backoff
	q.backoffOf(it).add(it)
}

// activate puts an item into active unless a plugin gates it.
func (q *Queue) activate(now clock.Now, it *Item, why string) {
	if q.gate(now, it, why) {
		return
	}
	q.enterActive(now, it, why)
}

func (q *Queue) enterActive(now clock.Now, it *Item, why string) {
	q.stats.incoming(Active, why)
	q.enteredActive(now, it)
	it.Place = Active
	q.active.add(it)
}

func (q *Queue) enteredActive(now clock.Now, it *Item) {
	if it.FirstTried < 0 {
		it.FirstTried = now.Mono
	}
}

// gate runs PreEnqueue. A plugin that says no counts as a rejector, and its events
// decide when the pod is looked at again.
func (q *Queue) gate(now clock.Now, it *Item, why string) (closed bool) {
	it.Gate = q.cfg.Gate(it.Pod, it.Gate)
	if it.Gate == "" {
		return false
	}
	if !slices.Contains(it.Rejectors, it.Gate) {
		q.uncount(it)
		it.Rejectors = append(it.Rejectors, it.Gate)
		it.mask = q.profiles[it.Pod.Scheduler].maskOf(it.Rejectors)
		q.count(it)
	}
	it.Flushed = false
	q.stats.incoming(Unschedulable, why)
	it.parkedAt = now.Mono
	q.settle(it, Gated)
	return true
}

// settle lets an item begin to wait for an event.
func (q *Queue) settle(it *Item, p Place) {
	q.timeouts = append(q.timeouts, timeout{it: it, since: it.parkedAt})
	q.hold(it, p)
}

// hold puts an item among those that wait for an event.
func (q *Queue) hold(it *Item, p Place) {
	it.Place = p
	if p == Unschedulable {
		q.park(it)
		return
	}
	gate := gateOf(it)
	b := q.gated[gate]
	if b == nil {
		b = &bag{}
		q.gated[gate] = b
		q.gates = append(q.gates, gate)
	}
	b.add(it)
}

func gateOf(it *Item) Waiting { return Waiting{Plugin: it.Gate, Profile: it.Pod.Scheduler} }

// lift takes an item out of its place.
func (q *Queue) lift(it *Item) {
	switch it.Place {
	case Active:
		q.active.remove(it)
	case Backoff:
		q.backoffOf(it).remove(it)
	case Unschedulable:
		q.unpark(it)
	case Gated:
		q.gated[gateOf(it)].remove(it)
	}
	it.Place = Away
}

func (q *Queue) backoffOf(it *Item) *heapOf {
	if it.isError() {
		return &q.failing
	}
	return &q.backoff
}

// timeout is an item that began to wait for an event. It is stale when the item has
// moved since.
type timeout struct {
	it    *Item
	since time.Duration
}

func (t timeout) stale() bool {
	return t.it.Place != Unschedulable && t.it.Place != Gated || t.it.parkedAt != t.since
}
