package queue

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Config is what a Queue is told once.
type Config struct {
	// Less is the QueueSort that all profiles share.
	Less func(a, b *framework.Queued) bool
	// Gate returns the plugin that keeps a pod out of the active queue, "" if none.
	// last is the plugin that did before; it is asked first.
	Gate func(p *podspec.Pod, last string) string
	// Hinters are, by scheduler name, the plugins that may reject pods.
	Hinters map[string][]Hinter
	// View is what hints may look at.
	View *cluster.View
	// Probe, when not nil, measures the hints.
	Probe Probe

	InitialBackoff time.Duration
	MaxBackoff     time.Duration // 0 turns backoff off
	// PopFromBackoff lets pods be tried before their backoff is over when nothing else
	// waits. It is the gate SchedulerPopFromBackoffQ.
	PopFromBackoff bool
	// Timeout is how long a pod waits for an event before it is tried without one: half a
	// minute at least.
	Timeout time.Duration
}

// Queue is the pods that wait. Make one with New.
type Queue struct {
	cfg       Config
	profiles  map[string]*profile
	interests map[eventKey]*interest // filled as events come

	items    map[types.UID]*Item // those that are away, too
	active   heapOf
	backoff  heapOf // of pods that plugins rejected
	failing  heapOf // backoff of pods that failed by an error
	byKey    map[string]*kind
	kinds    []*kind // the unschedulable pods
	gated    map[Waiting]*bag
	gates    []Waiting // those that gate or have gated, in order of appearance
	timeouts []timeout
	away     inFlight
	arrivals uint64
	stats    stats
	helped   []helped // buffer of Wake
}

// shortestTimeout is how long a pod waits at least until time alone wakes it, as
// kube-scheduler looks for those that have waited long enough twice a minute.
const shortestTimeout = 30 * time.Second

// New returns an empty queue.
func New(cfg Config) *Queue {
	q := &Queue{
		cfg: cfg, profiles: map[string]*profile{}, interests: map[eventKey]*interest{},
		items: map[types.UID]*Item{}, byKey: map[string]*kind{}, gated: map[Waiting]*bag{}, stats: newStats(),
	}
	q.cfg.Timeout = max(cfg.Timeout, shortestTimeout)
	for name, hinters := range cfg.Hinters {
		q.profiles[name] = newProfile(hinters)
	}
	q.active.less = q.before
	q.backoff.less = func(a, b *Item) bool {
		return a.readyAt < b.readyAt || a.readyAt == b.readyAt && q.before(a, b)
	}
	q.failing.less = func(a, b *Item) bool {
		return a.readyAt < b.readyAt || a.readyAt == b.readyAt && a.order < b.order
	}
	return q
}

// before is QueueSort made total by arrival.
func (q *Queue) before(a, b *Item) bool {
	switch {
	case q.cfg.Less(&a.Queued, &b.Queued):
		return true
	case q.cfg.Less(&b.Queued, &a.Queued):
		return false
	}
	return a.order < b.order
}

// Add files a new pod.
func (q *Queue) Add(now clock.Now, p *podspec.Pod) {
	invariants.Check(q.items[p.UID] == nil, "queue: a pod was added twice")
	q.arrivals++
	it := newItem(p, now.Mono, q.arrivals)
	q.items[p.UID] = it
	q.activate(now, it, fwk.ClusterEvent{Resource: fwk.UnscheduledPod, ActionType: fwk.Add}.Label())
}

// Pop gives away the next pod, nil when there is none. It is in flight until Done,
// Requeue or Delete.
func (q *Queue) Pop(now clock.Now) *Item {
	it := q.active.first()
	if it == nil && q.cfg.PopFromBackoff {
		if it = q.backoff.first(); it != nil {
			q.stats.incoming(Active, popFromBackoff)
			q.enteredActive(now, it)
		}
	}
	if it == nil {
		return nil
	}
	q.lift(it)
	q.uncount(it)
	it.Attempts++
	q.away.begin(it)
	return it
}

// Done says that a pod that was popped is being bound: from now on it misses nothing.
func (q *Queue) Done(uid types.UID) {
	if it := q.items[uid]; it != nil {
		q.away.end(it)
	}
}

// Requeue takes back a pod whose attempt failed. rejectors are the plugins that refused
// it, pending those of them that wait for something outside the scheduler. No rejector
// means an error: then time helps, and no event is needed.
func (q *Queue) Requeue(now clock.Now, uid types.UID, rejectors, pending []string) {
	it := q.items[uid]
	if it == nil {
		return // deleted while it was away
	}
	invariants.Check(it.Place == Away, "queue: a pod came back that was not away")
	it.Since = now.Mono
	it.Flushed = false
	it.Gate = ""
	it.Rejectors, it.Pending = slices.Clone(rejectors), slices.Clone(pending)
	if it.isError() {
		it.errors++
	} else {
		it.failures++
		it.errors = 0
	}
	it.mask = q.profiles[it.Pod.Scheduler].maskOf(it.Rejectors)
	q.setBackoff(it)
	q.count(it)
	q.move(now, it, q.afterAttempt(it), attemptFailure)
	q.away.end(it)
}

// afterAttempt returns what the events mean for a pod that came while it was away.
func (q *Queue) afterAttempt(it *Item) verdict {
	if it.isError() || it.trip == nil {
		return afterBackoff
	}
	events, lost := q.away.missed(it)
	best := stay
	if lost {
		best = afterBackoff
	}
	for i := range events {
		if best == atOnce || best == afterBackoff && len(it.Pending) == 0 {
			break
		}
		best = max(best, q.consider(it, &events[i]))
	}
	return best
}

// Update brings a pod up to date. changes tell how it differs from before; one that
// waits may have waited for them.
func (q *Queue) Update(now clock.Now, p *podspec.Pod, changes []fwk.ClusterEvent, before, after any) {
	it := q.items[p.UID]
	if it == nil {
		return
	}
	switch it.Place {
	case Active:
		it.Pod = p
		q.active.fix(it)
	case Backoff:
		it.Pod = p
		q.backoffOf(it).fix(it)
	case Away:
		it.Pod = p
		for _, change := range changes {
			if it.trip != nil && q.interestIn(change) != nil {
				q.away.note(Event{ClusterEvent: change, Before: before, After: after, Only: p.UID})
			}
		}
	case Unschedulable, Gated:
		q.updateWaiting(now, it, p, changes, before, after)
	}
}

func (q *Queue) updateWaiting(now clock.Now, it *Item, p *podspec.Pod, changes []fwk.ClusterEvent, before, after any) {
	place := it.Place
	q.lift(it)
	it.Pod = p
	for _, change := range changes {
		ev := Event{ClusterEvent: change, Before: before, After: after, Only: p.UID}
		if v := q.consider(it, &ev); v != stay {
			q.move(now, it, v, change.Label())
			return
		}
	}
	q.hold(it, place)
}

// Delete forgets a pod, wherever it is.
func (q *Queue) Delete(uid types.UID) {
	it := q.items[uid]
	if it == nil {
		return
	}
	q.lift(it)
	q.uncount(it)
	q.away.end(it)
	delete(q.items, uid)
}

// Get returns the item of a pod, nil when it is not known.
func (q *Queue) Get(uid types.UID) *Item { return q.items[uid] }

// Ready reports whether Pop would give a pod.
func (q *Queue) Ready() bool {
	return q.active.Len() > 0 || q.cfg.PopFromBackoff && q.backoff.Len() > 0
}
