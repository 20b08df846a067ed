package bitset

import (
	"iter"
	"math/bits"
	"strconv"
)

// Next returns the first member that is at least from, or -1 if there is none.
// A loop over Next sees what its body adds and removes.
func (s *Set) Next(from int32) int32 {
	from = max(from, 0)
	if int(from) >= s.n {
		return -1
	}
	w := int(from >> 6)               // from/64
	word := s.words[w] >> (from & 63) // what lies below from falls off
	if word != 0 {
		return from + int32(bits.TrailingZeros64(word))
	}
	for w++; w < len(s.words); w++ {
		if word := s.words[w]; word != 0 {
			return int32(w<<6 + bits.TrailingZeros64(word))
		}
	}
	return -1
}

// All walks the members in rising order. The body may remove the row that it was
// given; of other changes, only those 64 rows further on are sure to be seen.
func (s *Set) All() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for w, word := range s.words {
			for word != 0 {
				if !yield(int32(w<<6 + bits.TrailingZeros64(word))) {
					return
				}
				word &= word - 1 // drops the lowest bit
			}
		}
	}
}

// AppendTo appends the members to rows in rising order.
func (s *Set) AppendTo(rows []int32) []int32 {
	for w, word := range s.words {
		for word != 0 {
			rows = append(rows, int32(w<<6+bits.TrailingZeros64(word)))
			word &= word - 1 // drops the lowest bit
		}
	}
	return rows
}

// String draws the members: {1 5 9}.
func (s *Set) String() string {
	text := []byte{'{'}
	for row := range s.All() {
		if len(text) > 1 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(row), 10)
	}
	return string(append(text, '}'))
}
