package bitset

import (
	"math/bits"
	"slices"

	"github.com/berth-scheduler/berth/pkg/invariants"
)

const oneLength = "sets that are combined have one length"

// CopyFrom makes the set equal to o, in length and in members.
func (s *Set) CopyFrom(o *Set) {
	s.words = append(s.words[:0], o.words...)
	s.n = o.n
}

// And keeps the members that o has too.
func (s *Set) And(o *Set) {
	invariants.Check(s.n == o.n, oneLength)
	theirs := o.words[:len(s.words)] // says once that both have a word w
	for w := range s.words {
		s.words[w] &= theirs[w]
	}
}

// AndNot keeps the members that o has not.
func (s *Set) AndNot(o *Set) {
	invariants.Check(s.n == o.n, oneLength)
	theirs := o.words[:len(s.words)]
	for w := range s.words {
		s.words[w] &^= theirs[w]
	}
}

// Or adds the members of o.
func (s *Set) Or(o *Set) {
	invariants.Check(s.n == o.n, oneLength)
	theirs := o.words[:len(s.words)]
	for w := range s.words {
		s.words[w] |= theirs[w]
	}
}

// RemoveWhere removes the members that a small table says: row i goes when remove holds
// at number[i]. The column has a number for each row, and the table a bool for each number.
func (s *Set) RemoveWhere(number []int32, remove []bool) {
	for w, word := range s.words {
		column := number[w<<6:] // 64 rows a word
		var gone uint64
		for left := word; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			var bit uint64
			if remove[column[i]] { // a conditional set, no branch: rows come in any order
				bit = 1
			}
			gone |= bit << i
		}
		s.words[w] = word &^ gone
	}
}

// Table returns a table for RemoveWhere that says nothing goes, in the memory of buf if
// that suffices.
func Table(buf []bool, n int) []bool {
	if cap(buf) < n {
		return make([]bool, n, n+n/4)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}

// Equal tells whether both sets have the same length and the same members.
func (s *Set) Equal(o *Set) bool {
	return s.n == o.n && slices.Equal(s.words, o.words)
}
