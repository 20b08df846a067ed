package queue

import "k8s.io/apimachinery/pkg/types"

// inFlight is the pods that Pop has given away, and the events that came since. The
// events are kept as long as a pod that was popped before them is away.
type inFlight struct {
	pods   []*Item // in the order of their pops; nil where one is done
	events []Event
	first  uint64 // number of events[0]
	next   uint64 // events so far
}

// mostEvents is how many events are kept. A pod that has missed more is not held
// against them one by one: it may be helped.
const mostEvents = 100_000

func (f *inFlight) begin(it *Item) {
	it.inFlight, it.seen = true, f.next
	f.pods = append(f.pods, it)
}

// end forgets a pod, and the events that no other pod needs.
func (f *inFlight) end(it *Item) {
	if !it.inFlight {
		return
	}
	it.inFlight = false
	for len(f.pods) > 0 && !f.pods[0].inFlight {
		f.pods[0] = nil
		f.pods = f.pods[1:]
	}
	if len(f.pods) == 0 {
		f.pods, f.events, f.first = nil, nil, f.next
		return
	}
	f.drop(f.pods[0].seen)
}

// note keeps an event if somebody is away to miss it.
func (f *inFlight) note(ev Event) {
	if len(f.pods) == 0 {
		return
	}
	f.events = append(f.events, ev)
	f.next++
	if len(f.events) > mostEvents {
		f.drop(f.first + mostEvents/2)
	}
}

// drop forgets the events before number n.
func (f *inFlight) drop(n uint64) {
	if n <= f.first {
		return
	}
	gone := min(n-f.first, uint64(len(f.events)))
	clear(f.events[:gone])
	f.events = f.events[gone:]
	f.first += gone
}

// missed returns the events that came since an item was popped, and whether some of
// them are not kept any more.
func (f *inFlight) missed(it *Item) (events []Event, lost bool) {
	if it.seen < f.first {
		return f.events, true
	}
	return f.events[it.seen-f.first:], false
}

// count returns how many pods are away.
func (f *inFlight) count() int {
	n := 0
	for _, it := range f.pods {
		if it.inFlight {
			n++
		}
	}
	return n
}

// concerns reports whether an event concerns a pod.
func (ev *Event) concerns(uid types.UID, priority int32) bool {
	return (ev.Only == "" || ev.Only == uid) && (ev.Except == "" || ev.Except != uid) &&
		(ev.UpTo == nil || priority <= *ev.UpTo)
}
