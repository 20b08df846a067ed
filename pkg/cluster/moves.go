package cluster

import (
	"slices"

	"github.com/berth-scheduler/berth/pkg/bitset"
)

// moves is which pods came to rows and went from them last, where many tallies count them.
// A tally that missed some counts them when somebody looks at it, and all that did when the
// moves are many. The columns of a tally are far away for the first move, and near for
// those that it counts with it.
type moves struct {
	last  []move
	kinds []*kind // the same; of the pod that moved
	ever  uint64  // how many were noted; last is the newest of them

	few  int // where as few tallies count a pod, they do at once
	most int // when as many moves are noted, all tallies count them

	some   []move     // for one tally
	behind bitset.Set // tallies, by number; for catchUp
}

func newMoves() moves { return moves{few: 8, most: 128} }

// move is so many more pods on a row.
type move struct{ row, pods int32 }

// moved counts a pod of a kind more on a row, or one less.
func (t *topology) moved(k *kind, m move) {
	if k.tallies.Count() <= t.moves.few {
		for number := range k.tallies.All() {
			t.numbers.Value(number).count([]move{m})
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
	behind := &t.moves.behind
	behind.Clear()
	behind.Resize(t.numbers.Cap())
	words := behind.Words()
	for _, k := range t.moves.kinds {
		for w, word := range k.tallies.Words() {
			words[w] |= word
		}
	}
	for number := range behind.All() {
		if t.numbers.Refs(number) > 0 { // a kind that was dropped may name a tally that was, too
			t.numbers.Value(number).catchUp()
		}
	}
	clear(t.moves.kinds)
	t.moves.last, t.moves.kinds = t.moves.last[:0], t.moves.kinds[:0]
}

// ofTally returns what a tally has not counted. It is good until the next question.
func (m *moves) ofTally(t *Tally) []move {
	first := len(m.last) - min(len(m.last), int(m.ever-t.moves))
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
