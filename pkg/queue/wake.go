package queue

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
)

// Event is something that happened in the cluster.
type Event struct {
	fwk.ClusterEvent
	Before, After any // the trimmed API objects; either may be nil

	Only   types.UID // the pod that it is about, if it can help no other
	Except types.UID // a pod that it cannot help, as it came from itself
	UpTo   *int32    // helps only pods of this priority or lower
}

// Why a pod moved, where that is no cluster event. Metrics know them by these names.
const (
	attemptFailure  = "ScheduleAttemptFailure"
	backoffComplete = "BackoffComplete"
	popFromBackoff  = "PopFromBackoffQ"
	forceActivate   = "ForceActivate"
	timedOut        = "UnschedulableTimeout"
)

// helped is a pod and what an event means for it.
type helped struct {
	it *Item
	verdict
}

// Wake tells of something that may help pods. It costs a question for each kind of
// pod that waits and whose rejectors care, and a move for each pod that is helped.
func (q *Queue) Wake(now clock.Now, ev Event) {
	in := q.interestIn(ev.ClusterEvent)
	if in == nil {
		return
	}
	q.away.note(ev)
	q.helped = q.helped[:0]
	for _, k := range q.kinds {
		sample := k.pods[0]
		if sample.mask&in.mask[sample.Pod.Scheduler] != 0 {
			q.help(k.pods, q.askFor(in, sample, &ev), &ev)
		}
	}
	for _, gate := range q.gates {
		if q.profiles[gate.Profile].maskOf([]string{gate.Plugin})&in.mask[gate.Profile] == 0 {
			continue // whoever waits there, the event is none of his gate's business
		}
		for _, it := range *q.gated[gate] {
			q.help(bag{it}, q.askFor(in, it, &ev), &ev)
		}
	}
	for _, h := range q.helped {
		q.lift(h.it)
		q.move(now, h.it, h.verdict, ev.Label())
	}
	clear(q.helped)
}

// help notes the pods that an event helps. They are moved afterwards, all at once.
func (q *Queue) help(pods bag, v verdict, ev *Event) {
	if v == stay {
		return
	}
	for _, it := range pods {
		if ev.concerns(it.Pod.UID, it.Pod.Priority) {
			q.helped = append(q.helped, helped{it, v})
		}
	}
}

// consider returns what an event means for one pod.
func (q *Queue) consider(it *Item, ev *Event) verdict {
	if !ev.concerns(it.Pod.UID, it.Pod.Priority) {
		return stay
	}
	if ev.Resource == fwk.WildCard {
		return afterBackoff
	}
	in := q.interestIn(ev.ClusterEvent)
	if in == nil {
		return stay
	}
	return q.askFor(in, it, ev)
}

func (q *Queue) askFor(in *interest, it *Item, ev *Event) verdict {
	name := it.Pod.Scheduler
	var pending uint64
	if len(it.Pending) > 0 {
		pending = q.profiles[name].maskOf(it.Pending)
	}
	return q.ask(in.regs[name], it, pending, ev)
}

// Activate sends pods to active whatever they wait for. One that is away goes there
// when it comes back.
func (q *Queue) Activate(now clock.Now, uids ...types.UID) {
	for _, uid := range uids {
		it := q.items[uid]
		switch {
		case it == nil || it.Place == Active:
		case it.Place == Away:
			if it.trip != nil {
				q.away.note(Event{ClusterEvent: fwk.ClusterEvent{Resource: fwk.WildCard, ActionType: fwk.All, CustomLabel: forceActivate}, Only: uid})
			}
		case it.Place == Backoff && q.cfg.PopFromBackoff:
			q.lift(it)
			q.enterActive(now, it, forceActivate)
		default:
			q.lift(it)
			q.activate(now, it, forceActivate)
		}
	}
}

// Flush moves what the passing of time alone moves.
func (q *Queue) Flush(now clock.Now) {
	for _, h := range []*heapOf{&q.backoff, &q.failing} {
		for it := h.first(); it != nil && it.readyAt <= now.Mono; it = h.first() {
			q.lift(it)
			if q.cfg.PopFromBackoff { // its gates were asked on the way in
				q.enterActive(now, it, backoffComplete)
			} else {
				q.activate(now, it, backoffComplete)
			}
		}
	}
	for q.dropStale(); len(q.timeouts) > 0 && q.timeouts[0].since+q.cfg.Timeout <= now.Mono; q.dropStale() {
		it := q.timeouts[0].it
		q.timeouts = q.timeouts[1:]
		q.lift(it)
		it.Flushed = true
		q.move(now, it, afterBackoff, timedOut)
	}
}

// dropStale removes timeouts at the head whose item has moved.
func (q *Queue) dropStale() {
	for len(q.timeouts) > 0 && q.timeouts[0].stale() {
		q.timeouts[0] = timeout{}
		q.timeouts = q.timeouts[1:]
	}
}

// Next returns when Flush is due, false when nothing waits for time.
func (q *Queue) Next() (at time.Duration, due bool) {
	for _, h := range []*heapOf{&q.backoff, &q.failing} {
		if it := h.first(); it != nil && (!due || it.readyAt < at) {
			at, due = it.readyAt, true
		}
	}
	q.dropStale()
	if len(q.timeouts) > 0 {
		if end := q.timeouts[0].since + q.cfg.Timeout; !due || end < at {
			at, due = end, true
		}
	}
	return at, due
}
