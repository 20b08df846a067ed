package cluster

import (
	"container/list"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Term is an affinity term that pods on rows have, and in which domains of its key they
// are. Pods that have the same term are counted together.
type Term struct {
	v     *View
	of    podspec.Term
	label *Label

	Repelled  Counts // by domain: pods that require to be away from what the term matches
	Attracted Counts // pods that require to be near it
	Weight    Counts // the weights of those that prefer to be near it, less those that prefer to be away

	users     int // places in terms of pods on rows
	repellers int // those of Repelled, and those on rows that are in no domain

	used uint64        // the turn in which it had users last
	idle *list.Element // its place among the idle ones; nil while it has users
}

// Key returns the topology key of the term.
func (t *Term) Key() string { return t.of.TopologyKey }

// Numbers returns the domain of each row: its value's number, or [Absent].
func (t *Term) Numbers() []int32 { return t.label.padded(t.v.Rows()) }

// Top returns one past the highest number of a domain.
func (t *Term) Top() int32 { return t.label.Top() }

// Repels reports whether some pod requires to be away from what the term matches, whether
// or not its row is in a domain.
func (t *Term) Repels() bool { return t.repellers > 0 }

// TermsGoByNamespaces reports whether some term of pods on rows selects namespaces by their
// labels, so that it depends on those which pods of a namespace it matches.
func (v *View) TermsGoByNamespaces() bool { return v.topology.labelTerms > 0 }

// TermsFor returns the terms of pods on rows that match p.
func (v *View) TermsFor(p *podspec.Pod) []*Term {
	if len(v.topology.terms) == 0 {
		return nil
	}
	k := v.topology.kindOf(p)
	v.topology.rest(k)
	return k.terms
}

// holdTerms returns the terms of a pod in the order of eachTerm. Nil for most pods.
func (t *topology) holdTerms(p *podspec.Pod) []*Term {
	if p.Affinity == nil {
		return nil
	}
	var list []*Term
	eachTerm(p.Affinity, func(of *podspec.Term, _ func(*Term) (*Counts, int64)) {
		term := t.term(of)
		if term.users++; term.idle != nil {
			t.idleTerms.Remove(term.idle)
			term.idle = nil
		}
		list = append(list, term)
	})
	for _, term := range antiOf(p, list) {
		term.repellers++
	}
	return list
}

func (t *topology) releaseTerms(p *podspec.Pod, list []*Term) {
	for _, term := range list {
		if term.users--; term.users == 0 {
			term.used, term.idle = t.turn, t.idleTerms.PushBack(term)
		}
	}
	for _, term := range antiOf(p, list) {
		term.repellers--
	}
}

// antiOf returns those of a pod's terms that are required anti-affinity.
func antiOf(p *podspec.Pod, list []*Term) []*Term {
	return list[len(p.Affinity.Required):][:len(p.Affinity.Anti)]
}

// countTerms counts a pod's terms in the domains of row, d times.
func (t *topology) countTerms(p *podspec.Pod, list []*Term, row int32, d int64) {
	at := 0
	eachTerm(p.Affinity, func(_ *podspec.Term, counter func(*Term) (*Counts, int64)) {
		term := list[at]
		at++
		if number := term.label.number(row); number != Absent {
			counts, weight := counter(term)
			counts.add(number, d*weight)
		}
	})
}

// eachTerm calls visit with the terms of a pod, and with where each is counted.
func eachTerm(a *podspec.Affinity, visit func(of *podspec.Term, counter func(*Term) (*Counts, int64))) {
	for i := range a.Required {
		visit(&a.Required[i], func(t *Term) (*Counts, int64) { return &t.Attracted, 1 })
	}
	for i := range a.Anti {
		visit(&a.Anti[i], func(t *Term) (*Counts, int64) { return &t.Repelled, 1 })
	}
	for i := range a.Preferred {
		w := a.Preferred[i].Weight
		visit(&a.Preferred[i].Term, func(t *Term) (*Counts, int64) { return &t.Weight, w })
	}
}

// term returns the counter of a term. One that is new is held against all kinds.
func (t *topology) term(of *podspec.Term) *Term {
	term := t.terms[of.Key]
	if term == nil {
		term = &Term{v: t.v, of: *of, label: t.v.labels.hold(of.TopologyKey)}
		t.terms[of.Key] = term
		if selectsByLabels(of) {
			t.labelTerms++
		}
		t.termFinder.add(of.Selector, term)
		t.eachKind(of, func(k *kind) {
			if t.concerns(term, k) {
				k.terms = append(k.terms, term)
			}
		})
	}
	return term
}

// dropTerm forgets a term that no pod on a row has.
func (t *topology) dropTerm(term *Term) {
	t.idleTerms.Remove(term.idle)
	delete(t.terms, term.of.Key)
	if selectsByLabels(&term.of) {
		t.labelTerms--
	}
	t.termFinder.remove(term.of.Selector, term)
	t.eachKind(&term.of, func(k *kind) { k.terms = without(k.terms, term) })
	t.v.labels.release(term.of.TopologyKey)
}
