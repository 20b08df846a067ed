package bitset

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// model is a set of rows as a map: what the words must amount to.
type model struct {
	set  Set
	rows map[int32]bool // members; no key maps to false
}

// check compares everything that a Set tells with the map.
func (m *model) check(t *rapid.T) {
	want := slices.Sorted(maps.Keys(m.rows))
	if got := m.set.AppendTo(nil); !slices.Equal(got, want) {
		t.Fatalf("members are %v, want %v", got, want)
	}
	if m.set.Count() != len(want) || m.set.Empty() != (len(want) == 0) {
		t.Fatalf("Count = %d, Empty = %v with %d members", m.set.Count(), m.set.Empty(), len(want))
	}
	if got, want := len(m.set.Words()), (m.set.Len()+63)/64; got != want {
		t.Fatalf("%d words for %d rows, want %d", got, m.set.Len(), want)
	}
}

func (m *model) fill() {
	for i := range int32(m.set.Len()) {
		m.rows[i] = true
	}
}

func (m *model) keep(where func(row int32) bool) {
	maps.DeleteFunc(m.rows, func(row int32, _ bool) bool { return !where(row) })
}

func TestASetDoesWhatAMapOfRowsDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{rows: map[int32]bool{}}
		row := func(t *rapid.T) int32 {
			if m.set.Len() == 0 {
				t.Skip("no rows")
			}
			return rapid.Int32Range(0, int32(m.set.Len())-1).Draw(t, "row")
		}
		t.Repeat(map[string]func(*rapid.T){
			"":       m.check,
			"add":    func(t *rapid.T) { i := row(t); m.set.Add(i); m.rows[i] = true },
			"remove": func(t *rapid.T) { i := row(t); m.set.Remove(i); delete(m.rows, i) },
			"clear":  func(*rapid.T) { m.set.Clear(); clear(m.rows) },
			"fill":   func(*rapid.T) { m.set.Fill(); m.fill() },
			"resize": func(t *rapid.T) {
				n := rapid.IntRange(0, 200).Draw(t, "n")
				m.set.Resize(n)
				m.keep(func(i int32) bool { return int(i) < n })
			},
			"and": func(t *rapid.T) { o := other(t, m.set.Len()); m.set.And(o); m.keep(o.Has) },
			"andnot": func(t *rapid.T) {
				o := other(t, m.set.Len())
				m.set.AndNot(o)
				m.keep(func(i int32) bool { return !o.Has(i) })
			},
			"removewhere": func(t *rapid.T) {
				numbers := rapid.SliceOfN(rapid.Int32Range(0, 2), m.set.Len(), m.set.Len()).Draw(t, "numbers")
				m.set.RemoveWhere(numbers, []bool{false, true, true})
				m.keep(func(i int32) bool { return numbers[i] == 0 })
			},
			"or": func(t *rapid.T) {
				o := other(t, m.set.Len())
				m.set.Or(o)
				for i := range o.All() {
					m.rows[i] = true
				}
			},
		})
	})
}

// other draws a set of length n to combine with.
func other(t *rapid.T, n int) *Set {
	s := of(n)
	for i := range s.Words() {
		s.Words()[i] = rapid.Uint64().Draw(t, "word")
	}
	s.trim()
	return s
}
