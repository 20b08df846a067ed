package cluster

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Tally is how many pods of a selection are on each row.
type Tally struct {
	of      podspec.Selection
	rows    []int32 // may be shorter than the table
	domains []*Domains
	used    uint64 // the turn in which it was asked for last
}

// On returns how many of the pods are on row.
func (t *Tally) On(row int32) int32 {
	if int(row) >= len(t.rows) {
		return 0
	}
	return t.rows[row]
}

func (t *Tally) add(row, d int32) {
	if missing := int(row) + 1 - len(t.rows); missing > 0 {
		t.rows = append(t.rows, make([]int32, missing)...)
	}
	t.rows[row] += d
	for _, domains := range t.domains {
		domains.add(row, d)
	}
}

// addKind counts the pods of a kind, d times.
func (t *Tally) addKind(k *kind, d int32) {
	for _, row := range k.rows {
		t.add(row, d)
	}
}

// Tally returns the counter of a selection, which is kept up to date from now on.
func (v *View) Tally(s *podspec.Selection) *Tally {
	t := v.topology
	tally := t.tallies[s.Key]
	if tally == nil {
		tally = &Tally{of: *s, rows: make([]int32, v.Rows())}
		t.tallies[s.Key] = tally
		t.tallyFinder.add(s.Terms[0].Selector, tally)
		t.eachKind(&s.Terms[0], func(k *kind) {
			if t.counts(s, k) {
				k.tallies = append(k.tallies, tally)
				for _, row := range k.rows {
					tally.rows[row]++
				}
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
	t.eachKind(&tally.of.Terms[0], func(k *kind) { k.tallies = without(k.tallies, tally) })
	for _, d := range tally.domains {
		t.v.labels.release(d.key)
	}
}
