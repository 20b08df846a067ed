package queue

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Config is what a Queue is told once.
type Config struct {
	// Less is the QueueSort that all profiles share.
	Less func(a, b *framework.Queued) bool
	// Gate returns the plugin that keeps a pod out of the active queue, "" if none.
	Gate func(p *podspec.Pod) string

	InitialBackoff time.Duration
	MaxBackoff     time.Duration // 0 turns backoff off
	// Timeout is how long a pod waits for an event before it is tried without one.
	Timeout time.Duration
}

// Queue is the pods that wait. Make one with New.
type Queue struct {
	cfg Config

	items    map[types.UID]*Item // in flight ones too
	active   heapOf
	backoff  heapOf
	parked   bag // unschedulable
	gated    bag
	arrivals uint64
	events   uint64 // events so far
}

// New returns an empty queue.
func New(cfg Config) *Queue {
	q := &Queue{cfg: cfg, items: map[types.UID]*Item{}}
	q.active.less = func(a, b *Item) bool {
		switch {
		case cfg.Less(&a.Queued, &b.Queued):
			return true
		case cfg.Less(&b.Queued, &a.Queued):
			return false
		}
		return a.order < b.order
	}
	q.backoff.less = func(a, b *Item) bool {
		if a.readyAt != b.readyAt {
			return a.readyAt < b.readyAt
		}
		return a.order < b.order
	}
	return q
}

// Add files a new pod.
func (q *Queue) Add(now clock.Now, p *podspec.Pod) {
	invariants.Check(q.items[p.UID] == nil, "queue: a pod was added twice")
	q.arrivals++
	it := newItem(p, now.Mono, q.arrivals)
	q.items[p.UID] = it
	q.activate(now, it)
}

// Update brings a pod up to date. changes are the events that tell how it differs
// from before; one that waits may have waited for them.
func (q *Queue) Update(now clock.Now, p *podspec.Pod, changes []fwk.ClusterEvent) {
	it := q.items[p.UID]
	if it == nil {
		return
	}
	it.Pod = p
	switch it.Place {
	case Active:
		q.active.fix(it)
	case Unschedulable, Gated:
		if slices.ContainsFunc(changes, matters) {
			q.lift(it)
			q.wake(now, it)
		}
	case InFlight:
		if slices.ContainsFunc(changes, matters) {
			q.events++ // counts when it comes back
		}
	}
}

// matters reports whether an event can help any pod. The general update stands for
// changes that no rule reads, such as a condition of a pod.
func matters(ev fwk.ClusterEvent) bool { return ev.ActionType != fwk.Update }

// Delete forgets a pod, wherever it is.
func (q *Queue) Delete(uid types.UID) {
	if it := q.items[uid]; it != nil {
		q.lift(it)
		delete(q.items, uid)
	}
}

// Pop gives away the next pod, nil when none is active. It is in flight until
// Requeue or Delete.
func (q *Queue) Pop(now clock.Now) *Item {
	it := q.active.first()
	if it == nil {
		return nil
	}
	q.lift(it)
	it.Place = InFlight
	it.Attempts++
	it.seen = q.events
	return it
}

// Requeue takes back a pod whose attempt failed. rejectors are the plugins that
// refused it; none means an error, which no event can help and time may.
func (q *Queue) Requeue(now clock.Now, uid types.UID, rejectors []string) {
	it := q.items[uid]
	if it == nil {
		return // deleted while it was in flight
	}
	invariants.Check(it.Place == InFlight, "queue: a pod came back that was not in flight")
	it.Since = now.Mono
	it.Rejectors = slices.Clone(rejectors)
	if len(rejectors) == 0 {
		it.errors++
		it.readyAt = now.Mono + backoffAfter(it.errors, q.cfg.InitialBackoff, q.cfg.MaxBackoff)
		q.wake(now, it)
		return
	}
	it.failures++
	it.errors = 0
	it.readyAt = now.Mono + backoffAfter(it.failures, q.cfg.InitialBackoff, q.cfg.MaxBackoff)
	if it.seen != q.events {
		q.wake(now, it)
		return
	}
	q.park(now, it)
}

// Event is something that happened in the cluster.
type Event struct {
	fwk.ClusterEvent
	Before, After any // the trimmed API objects; either may be nil

	Except types.UID // a pod that this cannot help, as it came from itself
	UpTo   *int32    // helps only pods of this priority or lower
}

// Wake tells of something that may help pods.
func (q *Queue) Wake(now clock.Now, ev Event) {
	if !matters(ev.ClusterEvent) {
		return
	}
	q.events++
	for _, it := range slices.Clone(q.parked) { // waking takes them out of it
		if it.Pod.UID == ev.Except || ev.UpTo != nil && it.Pod.Priority > *ev.UpTo {
			continue
		}
		q.lift(it)
		q.wake(now, it)
	}
}

// Flush moves what the passing of time alone moves.
func (q *Queue) Flush(now clock.Now) {
	for it := q.backoff.first(); it != nil && it.readyAt <= now.Mono; it = q.backoff.first() {
		q.lift(it)
		q.activate(now, it)
	}
	for i := 0; i < len(q.parked); {
		it := q.parked[i]
		if it.parkedAt+q.cfg.Timeout > now.Mono {
			i++
			continue
		}
		q.lift(it) // the last one takes its place
		q.wake(now, it)
	}
}

// Next returns when Flush is due, false when nothing waits for time.
func (q *Queue) Next() (at time.Duration, due bool) {
	if it := q.backoff.first(); it != nil {
		at, due = it.readyAt, true
	}
	for _, it := range q.parked {
		if end := it.parkedAt + q.cfg.Timeout; !due || end < at {
			at, due = end, true
		}
	}
	return at, due
}

// Ready reports whether Pop would give a pod.
func (q *Queue) Ready() bool { return q.active.Len() > 0 }

// Get returns the item of a pod, nil when it is not known.
func (q *Queue) Get(uid types.UID) *Item { return q.items[uid] }

// Len returns how many pods are in a place.
func (q *Queue) Len(p Place) int {
	switch p {
	case Active:
		return q.active.Len()
	case Backoff:
		return q.backoff.Len()
	case Unschedulable:
		return len(q.parked)
	case Gated:
		return len(q.gated)
	}
	return len(q.items) - q.active.Len() - q.backoff.Len() - len(q.parked) - len(q.gated)
}

// wake moves an item that is in no place to active, or to backoff if it must wait.
func (q *Queue) wake(now clock.Now, it *Item) {
	if it.readyAt <= now.Mono {
		q.activate(now, it)
		return
	}
	it.Place = Backoff
	q.backoff.add(it)
}

// activate moves an item that is in no place to active, unless a plugin gates it.
func (q *Queue) activate(now clock.Now, it *Item) {
	if it.Gate = q.cfg.Gate(it.Pod); it.Gate != "" {
		it.Place = Gated
		q.gated.add(it)
		return
	}
	if it.FirstTried < 0 {
		it.FirstTried = now.Mono
	}
	it.Place = Active
	q.active.add(it)
}

func (q *Queue) park(now clock.Now, it *Item) {
	it.Place = Unschedulable
	it.parkedAt = now.Mono
	q.parked.add(it)
}

// lift takes an item out of its place.
func (q *Queue) lift(it *Item) {
	switch it.Place {
	case Active:
		q.active.remove(it)
	case Backoff:
		q.backoff.remove(it)
	case Unschedulable:
		q.parked.remove(it)
	case Gated:
		q.gated.remove(it)
	}
	it.Place = InFlight
}
