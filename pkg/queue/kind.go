package queue

import (
	"strings"
)

// kind is the unschedulable pods that hints cannot tell apart.
type kind struct {
	key   string
	pods  bag
	index int // in Queue.kinds
}

// keyOf spells out what hints can see of a pod and its rejectors.
func (q *Queue) keyOf(it *Item) string {
	var b strings.Builder
	b.WriteString(it.Pod.Scheduler)
	p := q.profiles[it.Pod.Scheduler]
	for _, list := range [][]string{it.Rejectors, it.Pending} {
		b.WriteByte('|')
		for _, name := range list {
			b.WriteString(name)
			b.WriteByte('=')
			if n, known := p.number[name]; known && p.hinters[n].Keeper != nil {
				b.WriteString(p.hinters[n].Keeper.Fragment(it.Pod))
			} else {
				b.WriteString(string(it.Pod.UID)) // a kind of its own
			}
			b.WriteByte(0)
		}
	}
	return b.String()
}

// park puts an item among those of its kind.
func (q *Queue) park(it *Item) {
	key := q.keyOf(it)
	k := q.byKey[key]
	if k == nil {
		k = &kind{key: key, index: len(q.kinds)}
		q.byKey[key] = k
		q.kinds = append(q.kinds, k)
	}
	it.kind = k
	k.pods.add(it)
}

// unpark takes it out again; an empty kind is forgotten.
func (q *Queue) unpark(it *Item) {
	k := it.kind
	it.kind = nil
	k.pods.remove(it)
	if len(k.pods) > 0 {
		return
	}
	delete(q.byKey, k.key)
	last := len(q.kinds) - 1
	moved := q.kinds[last]
	q.kinds[k.index], moved.index = moved, k.index
	q.kinds[last] = nil
	q.kinds = q.kinds[:last]
}
