package cluster

import (
	"slices"

	"github.com/berth-scheduler/berth/pkg/bitset"
)

// moves is notes of which pods came to rows and went from them. A move that many tallies
// count is noted only: a tally counts what it missed when it is read, and all tallies do when
// the notes are full. That is cheaper than at once, as the columns of a tally are fetched from
// memory once for many moves.
//
// The tallies that count a kind stay the same while moves of it are noted, but for one that
// has counted all of them.
type moves struct {
	last  []move
	kinds []*kind // the same; of the pod that moved
	ever  uint64  // how many were noted; last is the newest of them

	few  int // where as few tallies count a pod, they do at once
	most int // when as many are noted, all tallies count them

	some   []move     // a buffer, for what one tally counts
	behind bitset.Set // a buffer, for the numbers of tallies
}

func newMoves() moves { return moves{few: 8, most: 128} }

// move is so many more pods on a row.
type move struct{ row, pods int32 }

// moved counts or notes a pod of a kind more on a row, or one less.
func (t *topology) moved(k *kind, m move) {
	if k.tallies.Count() <= t.moves.few {
		for number := range k.tallies.All() {
			t.tallyNumber.Value(number).count([]move{m})
		}
		return
	}
	t.moves.last, t.moves.kinds = append(t.moves.last, m), append(t.moves.kinds, k)
	if t.moves.ever++; len(t.moves.last) >= t.moves.most {
		t.catchUp()
	}
}

// catchUp has all tallies count what they missed.
func (t *topology) catchUp() {
	if len(t.moves.last) == 0 {
		return
	}
	behind := &t.moves.behind
	behind.Clear()
	behind.Resize(t.tallyNumber.Cap())
	words := behind.Words()
	for _, k := range t.moves.kinds {
		for w, word := range k.tallies.Words() {
			words[w] |= word
		}
	}
	for number := range behind.All() {
		if t.tallyNumber.Refs(number) > 0 { // a kind that was dropped may name a tally that was, too
			t.tallyNumber.Value(number).catchUp()
		}
	}
	clear(t.moves.kinds)
	t.moves.last, t.moves.kinds = t.moves.last[:0], t.moves.kinds[:0]
}

// ofTally returns what a tally has not counted. It is good until the next question. Of what
// is not noted any more the tally has counted all that it had to.
func (m *moves) ofTally(t *Tally) []move {
	first := len(m.last) - min(len(m.last), int(m.ever-t.seen))
	missed, kinds := m.last[first:], m.kinds[first:]
	m.some = slices.Grow(m.some[:0], len(missed))[:len(missed)]
	n, counts := 0, 0
	var last *kind
	for i, k := range kinds {
		if k != last { // often the same
			if last, counts = k, 0; k.tallies.Has(t.number) {
				counts = 1
			}
		}
		m.some[n] = missed[i] // without a branch, since kinds come in any order
		n += counts
	}
	return m.some[:n]
}

// ofKind returns the pods of a kind, each of which counts for so many.
func (m *moves) ofKind(k *kind, pods int32) []move {
	m.some = m.some[:0]
	for _, row := range k.rows {
		m.some = append(m.some, move{row, pods})
	}
	return m.some
}
