package queue

import "k8s.io/apimachinery/pkg/types"

// inFlight is the pods that Pop has given away, and the events that came since. The
// events are kept as long as a pod that was popped before them is away.
type inFlight struct {
	trips  []*trip // in the order of their pops; those that are over go when they are first
	events []Event
	first  uint64 // number of events[0]
	next   uint64 // events so far
}

// trip is one absence of a pod.
type trip struct {
	seen uint64 // events that had come when it was popped
	over bool
}

// mostEvents is how many events are kept. A pod that has missed more is not held
// against them one by one: it may be helped.
const mostEvents = 100_000

func (f *inFlight) begin(it *Item) {
	it.trip = &trip{seen: f.next}
	f.trips = append(f.trips, it.trip)
}

// end forgets a pod, and the events that no other pod needs.
func (f *inFlight) end(it *Item) {
	if it.trip == nil {
		return
	}
	it.trip.over = true
	it.trip = nil
	for len(f.trips) > 0 && f.trips[0].over {
		f.trips[0] = nil
		f.trips = f.trips[1:]
	}
	if len(f.trips) == 0 {
		f.trips, f.events, f.first = nil, nil, f.next
		return
	}
	f.drop(f.trips[0].seen)
}

// note keeps an event if somebody is away to miss it.
func (f *inFlight) note(ev Event) {
	if len(f.trips) == 0 {
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
	if it.trip.seen < f.first {
		return f.events, true
	}
	return f.events[it.trip.seen-f.first:], false
}

// count returns how many pods are away.
func (f *inFlight) count() int {
	n := 0
	for _, t := range f.trips {
		if !t.over {
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
