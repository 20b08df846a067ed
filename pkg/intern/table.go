package intern

// Table numbers keys from 0 in the order in which they are first seen. Keys are
// never forgotten. The zero value is an empty table.
type Table[K comparable] struct {
	ids    map[K]int32 // ids[values[i]] == i
	values []K
}

// ID returns the number of k, which becomes the next free one if k is new.
func (t *Table[K]) ID(k K) int32 {
	if id, ok := t.ids[k]; ok {
		return id
	}
	if t.ids == nil {
		t.ids = make(map[K]int32)
	}
	id := int32(len(t.values))
	t.ids[k] = id
	t.values = append(t.values, k)
	return id
}

// Lookup returns the number of k, and whether k has one.
func (t *Table[K]) Lookup(k K) (int32, bool) {
	id, ok := t.ids[k]
	return id, ok
}

// Value returns the key that has number id, which must be below Len.
func (t *Table[K]) Value(id int32) K { return t.values[id] }

// Len returns how many keys have a number: one more than the highest number.
func (t *Table[K]) Len() int { return len(t.values) }
