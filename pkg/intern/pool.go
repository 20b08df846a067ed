package intern

import "github.com/berth-scheduler/berth/pkg/invariants"

// Pool numbers the keys that are in use, counting their users. The number of a
// key without users goes to the next new key, last freed first. The zero value
// is an empty pool.
type Pool[K comparable] struct {
	ids    map[K]int32 // live keys only; ids[values[i]] == i
	values []K         // by id; the zero K where the id is free
	refs   []int32     // by id; 0 where the id is free, never negative
	free   []int32     // free ids, a stack
}

// Acquire returns the number of k and counts one more user of it.
func (p *Pool[K]) Acquire(k K) int32 {
	id, ok := p.ids[k]
	if !ok {
		id = p.place(k)
	}
	p.refs[id]++
	return id
}

// place gives a new key a number: a free one if there is one, else the next.
func (p *Pool[K]) place(k K) int32 {
	if p.ids == nil {
		p.ids = make(map[K]int32)
	}
	var id int32
	if n := len(p.free); n > 0 {
		id = p.free[n-1]
		p.free = p.free[:n-1]
		p.values[id] = k
	} else {
		id = int32(len(p.values))
		p.values = append(p.values, k)
		p.refs = append(p.refs, 0)
	}
	p.ids[k] = id
	return id
}

// Release takes back one Acquire of id. After the last one the number is free
// and its key forgotten.
func (p *Pool[K]) Release(id int32) {
	invariants.Check(p.Refs(id) > 0, "only a held number is released")
	p.refs[id]--
	if p.refs[id] > 0 {
		return
	}
	var none K // lets go of what the key points to
	delete(p.ids, p.values[id])
	p.values[id] = none
	p.free = append(p.free, id)
}

// Lookup returns the number of k, and whether k is in use.
func (p *Pool[K]) Lookup(k K) (int32, bool) {
	id, ok := p.ids[k]
	return id, ok
}

// Value returns the key that has number id, which must be in use.
func (p *Pool[K]) Value(id int32) K {
	invariants.Check(p.Refs(id) > 0, "only a held number has a key")
	return p.values[id]
}

// Refs returns how many users hold id: 0 for a number that is free or was never
// given out.
func (p *Pool[K]) Refs(id int32) int32 {
	if uint(id) >= uint(len(p.refs)) {
		return 0
	}
	return p.refs[id]
}

// Len returns how many keys are in use.
func (p *Pool[K]) Len() int { return len(p.ids) }

// Cap returns one more than the highest number ever given out. A side array of
// that length has a place for every number; it never shrinks.
func (p *Pool[K]) Cap() int { return len(p.values) }
