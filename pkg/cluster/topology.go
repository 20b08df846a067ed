package cluster

import (
	"container/list"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/intern"
)

// topology counts pods by what selects them, on rows and in the domains of topology
// keys. Nothing in it is counted anew when a pod is placed:
//
//	kinds    pods by namespace and labels; what selects one selects all of a kind
//	tallies  for a selection that somebody asked for: pods on each row,
//	         and in each domain of a key, where only an area's rows count
//	terms    for an affinity term that pods on rows have: those pods in each domain
//
// A pod that comes or goes is counted by the tallies of its kind: by a few of them at once,
// by many when they are read, as moves.go tells. A node whose labels or taints change
// leaves its domains and enters others. A selection that is new costs a look at each kind.
// What nobody asks for any more is dropped, some decisions later, and of what pods leave
// behind only so much is kept.
type topology struct {
	v          *View
	namespaces map[string]labels.Set // labels of those that exist

	kinds   map[string]*kind
	kindsIn map[string][]*kind // by namespace

	tallies     map[string]*Tally
	tallyNumber intern.Pool[*Tally] // for the sets of tallies that kinds have
	tallyFinder finder[*Tally]      // by the selector of the first term
	moves       moves
	areas       map[string]*Area
	partitions  map[partitionKey]*partition

	terms      map[string]*Term
	termFinder finder[*Term]
	labelTerms int // those that select namespaces by labels

	idleKinds list.List // *kind: those without pods on rows, the one used last at the end
	idleTerms list.List // *Term: the same

	turn uint64 // decisions so far
}

func newTopology(v *View) *topology {
	return &topology{
		v: v, namespaces: map[string]labels.Set{}, kinds: map[string]*kind{}, kindsIn: map[string][]*kind{},
		tallies: map[string]*Tally{}, areas: map[string]*Area{}, partitions: map[partitionKey]*partition{}, moves: newMoves(), terms: map[string]*Term{},
	}
}

// add counts a pod that came to its row, remove one that is about to leave it.
func (t *topology) add(m *member) {
	k := t.kindOf(m.spec)
	t.employ(k)
	m.kind, m.kindAt = k, int32(len(k.rows))
	k.rows = append(k.rows, m.row)
	k.members = append(k.members, m)
	t.moved(k, move{m.row, 1})
	if m.terms = t.holdTerms(m.spec); m.terms != nil {
		t.countTerms(m.spec, m.terms, m.row, 1)
	}
}

func (t *topology) remove(m *member) {
	k := m.kind
	last := len(k.rows) - 1
	other := k.members[last]
	k.rows[m.kindAt], k.members[m.kindAt] = k.rows[last], other
	other.kindAt = m.kindAt
	k.members[last] = nil
	k.rows, k.members = k.rows[:last], k.members[:last]
	t.rest(k)
	t.moved(k, move{m.row, -1})
	if m.terms != nil {
		t.countTerms(m.spec, m.terms, m.row, -1)
		t.releaseTerms(m.spec, m.terms)
	}
	m.kind, m.terms = nil, nil
}

// concerned reports whether a change of a node moves its pods between domains.
func concerned(was, now *corev1.Node) bool {
	return !maps.Equal(was.Labels, now.Labels) || !slices.EqualFunc(was.Spec.Taints, now.Spec.Taints,
		func(a, b corev1.Taint) bool { return a.MatchTaint(&b) && a.Value == b.Value })
}

// leave takes a row out of all domains, before its labels change; enter takes it in
// again, as it is then. Moves that were made before are counted where they were made.
func (t *topology) leave(row int32) {
	t.catchUp()
	for _, tally := range t.tallies {
		pods := tally.Rows()[row]
		for _, d := range tally.domains {
			d.leave(row, pods)
		}
	}
	t.moveTerms(row, -1)
}

func (t *topology) enter(row int32) {
	t.catchUp()
	for _, a := range t.areas { // each goes by what is before it: area, partition, tally
		a.check(row, t.v.nodes[row])
	}
	for _, p := range t.partitions {
		p.check(row)
	}
	for _, tally := range t.tallies {
		pods := tally.Rows()[row]
		for _, d := range tally.domains {
			d.enter(row, pods)
		}
	}
	t.moveTerms(row, 1)
}

func (t *topology) moveTerms(row int32, d int64) {
	for _, m := range t.v.rowPods[row] {
		if m.terms != nil {
			t.countTerms(m.spec, m.terms, row, d)
		}
	}
}
