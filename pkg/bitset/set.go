package bitset

import (
	"math/bits"
	"slices"

	"github.com/berth-scheduler/berth/pkg/invariants"
)

// Set is a set of the rows 0 to Len()-1. The zero value is an empty set of
// length 0; Resize gives it room.
type Set struct {
	words []uint64 // bits at and above n are 0
	n     int      // rows; len(words) == (n+63)/64
}

// Len returns how many rows the set speaks about, members or not.
func (s *Set) Len() int { return s.n }

// Resize makes the set speak about n rows. Members below n stay, others go, and
// new rows are not members.
func (s *Set) Resize(n int) {
	invariants.Check(n >= 0, "a set has a length of at least 0")
	old, want := len(s.words), (n+63)>>6 // words for n rows
	if want > old {
		s.words = slices.Grow(s.words, want-old)[:want]
		clear(s.words[old:]) // capacity kept from a longer past is not clean
	}
	s.words = s.words[:want]
	s.n = n
	s.trim()
}

// trim clears the bits from n on in the last word.
func (s *Set) trim() {
	if rest := s.n & 63; rest != 0 { // rows in the last word, if it is not full
		s.words[len(s.words)-1] &= 1<<rest - 1
	}
}

// Fill makes every row a member.
func (s *Set) Fill() {
	for w := range s.words {
		s.words[w] = ^uint64(0)
	}
	s.trim()
}

// Clear removes every member. The length stays.
func (s *Set) Clear() { clear(s.words) }

// Add makes i, which must be below Len, a member.
func (s *Set) Add(i int32) {
	invariants.Check(s.holds(i), "a row added is below Len")
	s.words[i>>6] |= 1 << (i & 63)
}

// Remove makes i, which must be below Len, no member.
func (s *Set) Remove(i int32) {
	invariants.Check(s.holds(i), "a row removed is below Len")
	s.words[i>>6] &^= 1 << (i & 63)
}

// Put makes i, which must be below Len, a member or none.
func (s *Set) Put(i int32, in bool) {
	if in {
		s.Add(i)
	} else {
		s.Remove(i)
	}
}

// Has tells whether i is a member. No number outside of 0 to Len()-1 is.
func (s *Set) Has(i int32) bool {
	return s.holds(i) && s.words[i>>6]>>(i&63)&1 != 0
}

// holds tells whether i is a row of the set, member or not.
func (s *Set) holds(i int32) bool { return i >= 0 && int(i) < s.n }

// Empty tells whether there is no member.
func (s *Set) Empty() bool {
	for _, word := range s.words {
		if word != 0 {
			return false
		}
	}
	return true
}

// Count returns the number of members.
func (s *Set) Count() int {
	n := 0
	for _, word := range s.words {
		n += bits.OnesCount64(word)
	}
	return n
}

// Words returns the set's own words: bit b of word w is row 64*w+b. It is for
// loops that work on whole words; a loop that writes keeps the bits from Len on
// at 0. The slice is good until the next Resize or CopyFrom.
func (s *Set) Words() []uint64 { return s.words }
