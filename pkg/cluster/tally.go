package cluster

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Tally is how many pods of a selection are on each row. What it tells is up to date at any
// time, what it holds may lack the last moves. It and its Domains are for the turn in which
// they were asked for.
type Tally struct {
	topology *topology
	number   int32
	of       podspec.Selection
	used     uint64 // the turn in which it was asked for last

	seen    uint64  // how many moves there were when it counted last
	rows    []int32 // may be shorter than the table
	domains []*Domains
}

// Rows returns how many of the pods are on each row. It is good until something changes.
func (t *Tally) Rows() []int32 {
	t.catchUp()
	t.rows = grown(t.rows, t.topology.v.Rows())
	return t.rows
}

// catchUp counts the moves that are missing.
func (t *Tally) catchUp() {
	invariants.Check(t.topology.tallyNumber.Refs(t.number) > 0, "a tally is read in the turn in which it was asked for")
	if m := &t.topology.moves; t.seen != m.ever {
		t.count(m.ofTally(t))
		t.seen = m.ever
	}
}

// include has the tally count the pods of a kind from now on, and exclude ends that. It must
// have counted all moves of the kind.
func (t *Tally) include(k *kind) {
	if int(t.number) >= k.tallies.Len() {
		k.tallies.Resize(int(t.number) + 1)
	}
	k.tallies.Add(t.number)
	t.countKind(k, 1)
}

func (t *Tally) exclude(k *kind) {
	k.tallies.Remove(t.number)
	t.countKind(k, -1)
}

func (t *Tally) count(moves []move) {
	t.rows = grown(t.rows, t.topology.v.Rows())
	for _, m := range moves {
		t.rows[m.row] += m.pods
	}
	for _, d := range t.domains {
		d.count(moves)
	}
}

func (t *Tally) countKind(k *kind, pods int32) {
	if len(k.rows) == 0 { // it is new
		return
	}
	t.rows = grown(t.rows, t.topology.v.Rows())
	for _, row := range k.rows {
		t.rows[row] += pods
	}
	if len(t.domains) == 0 { // the tally is new
		return
	}
	moves := t.topology.moves.ofKind(k, pods)
	for _, d := range t.domains {
		d.count(moves)
	}
}

// Tally returns the counter of a selection, which is kept up to date from now on.
func (v *View) Tally(s *podspec.Selection) *Tally {
	t := v.topology
	tally := t.tallies[s.Key]
	if tally == nil {
		tally = &Tally{topology: t, of: *s, seen: t.moves.ever}
		tally.number = t.tallyNumber.Acquire(tally)
		t.tallies[s.Key] = tally
		t.tallyFinder.add(s.Terms[0].Selector, tally)
		t.eachKind(&s.Terms[0], func(k *kind) {
			if t.counts(s, k) {
				tally.include(k)
			}
		})
	}
	tally.used = t.turn
	return tally
}

// Selects reports whether a selection is for a pod like p.
func (v *View) Selects(s *podspec.Selection, p *podspec.Pod) bool {
	return v.topology.selects(s, p.Namespace, p.API.Labels)
}

// SelectsLabels reports whether a selection is for a pod with these labels.
func (v *View) SelectsLabels(s *podspec.Selection, namespace string, set labels.Set) bool {
	return v.topology.selects(s, namespace, set)
}

func (t *topology) dropTally(tally *Tally) {
	delete(t.tallies, tally.of.Key)
	t.tallyFinder.remove(tally.of.Terms[0].Selector, tally)
	t.eachKind(&tally.of.Terms[0], func(k *kind) {
		if k.tallies.Has(tally.number) {
			k.tallies.Remove(tally.number)
		}
	})
	t.tallyNumber.Release(tally.number)
	for _, d := range tally.domains {
		t.releasePartition(d.partition)
	}
}
