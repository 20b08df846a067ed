package queue

// Incoming is an entry into a place, and why.
type Incoming struct {
	Place Place
	Event string
}

// Waiting is a plugin that keeps pods of a profile waiting.
type Waiting struct {
	Plugin  string
	Profile string
}

// stats is what metrics are made of.
type stats struct {
	entries map[Incoming]uint64
	waiting map[Waiting]int
}

func newStats() stats {
	return stats{entries: map[Incoming]uint64{}, waiting: map[Waiting]int{}}
}

func (s *stats) incoming(p Place, event string) { s.entries[Incoming{p, event}]++ }

// count adds an item's rejectors to the gauges, uncount takes them out again.
func (q *Queue) count(it *Item) {
	if it.counted {
		return
	}
	it.counted = true
	for _, name := range it.Rejectors {
		q.stats.waiting[Waiting{name, it.Pod.Scheduler}]++
	}
}

func (q *Queue) uncount(it *Item) {
	if !it.counted {
		return
	}
	it.counted = false
	for _, name := range it.Rejectors {
		q.stats.waiting[Waiting{name, it.Pod.Scheduler}]--
	}
}

// Entries returns how often pods entered each place, by reason. It is live: read only.
func (q *Queue) Entries() map[Incoming]uint64 { return q.stats.entries }

// Waiting returns how many pods each plugin keeps waiting. It is live: read only.
func (q *Queue) Waiting() map[Waiting]int { return q.stats.waiting }

// Missable returns how many pods are in flight, and how many events are kept for them, by
// label.
func (q *Queue) Missable() (pods int, events map[string]int) {
	events = map[string]int{}
	for i := range q.away.events {
		events[q.away.events[i].Label()]++
	}
	return q.away.count(), events
}

// Len returns how many pods are in a place.
func (q *Queue) Len(p Place) int {
	switch p {
	case Active:
		return q.active.Len()
	case Backoff:
		return q.backoff.Len() + q.failing.Len()
	case Unschedulable:
		n := 0
		for _, k := range q.kinds {
			n += len(k.pods)
		}
		return n
	case Gated:
		n := 0
		for _, b := range q.gated {
			n += len(*b)
		}
		return n
	}
	return len(q.items) - q.Len(Active) - q.Len(Backoff) - q.Len(Unschedulable) - q.Len(Gated)
}
