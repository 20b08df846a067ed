package cluster

import (
	"container/list"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// kind is the pods that selectors cannot tell apart: those of one namespace with the
// same labels. A selector is held against a kind once, whatever the number of its pods.
type kind struct {
	key       string
	namespace string
	labels    labels.Set
	deleting  bool

	rows    []int32   // of its pods on rows, one for each
	members []*member // the same pods

	tallies bitset.Set // that count it, by number
	terms   []*Term    // of pods on rows, that match it
	at      int        // its place among the kinds of its namespace

	used uint64        // the turn in which a pod of it left or it was asked for last
	idle *list.Element // its place among the idle ones; nil while it has pods
}

// kindOf returns the kind of a pod. One that is new is held against all selectors.
func (t *topology) kindOf(p *podspec.Pod) *kind {
	k := t.kinds[p.Kind]
	if k == nil {
		k = &kind{key: p.Kind, namespace: p.Namespace, labels: p.API.Labels, deleting: p.Deleting}
		t.kinds[p.Kind] = k
		k.at = len(t.kindsIn[k.namespace])
		t.kindsIn[k.namespace] = append(t.kindsIn[k.namespace], k)
		t.tallyFinder.each(k.labels, func(tally *Tally) {
			if t.counts(&tally.of, k) {
				tally.include(k)
			}
		})
		t.termFinder.each(k.labels, func(term *Term) {
			if t.concerns(term, k) {
				k.terms = append(k.terms, term)
			}
		})
	}
	return k
}

// employ takes a kind that gets a pod from among the idle ones. rest puts it to their end
// if it has none.
func (t *topology) employ(k *kind) {
	if k.idle != nil {
		t.idleKinds.Remove(k.idle)
		k.idle = nil
	}
}

func (t *topology) rest(k *kind) {
	switch k.used = t.turn; {
	case len(k.rows) > 0:
	case k.idle != nil:
		t.idleKinds.MoveToBack(k.idle)
	default:
		k.idle = t.idleKinds.PushBack(k)
	}
}

// dropKind forgets a kind without pods.
func (t *topology) dropKind(k *kind) {
	t.employ(k)
	delete(t.kinds, k.key)
	list := t.kindsIn[k.namespace]
	last := len(list) - 1
	list[k.at], list[last].at = list[last], k.at
	list[last] = nil
	if t.kindsIn[k.namespace] = list[:last]; last == 0 {
		delete(t.kindsIn, k.namespace)
	}
}

// counts reports whether a selection counts the pods of a kind.
func (t *topology) counts(s *podspec.Selection, k *kind) bool {
	return (s.Terminating || !k.deleting) && t.selects(s, k.namespace, k.labels)
}

// selects reports whether each term of s matches a pod. A namespace is selected by its
// labels only once it has been seen, but all of them are by an empty selector.
func (t *topology) selects(s *podspec.Selection, namespace string, set labels.Set) bool {
	for i := range s.Terms {
		term := &s.Terms[i]
		if !term.Selector.Matches(set) {
			return false
		}
		if term.Namespaces.Has(namespace) || term.NamespaceSelector.Empty() {
			continue
		}
		if of, seen := t.namespaces[namespace]; !seen || !term.NamespaceSelector.Matches(of) {
			return false
		}
	}
	return true
}

// concerns reports whether a term of a pod on a row matches the pods of a kind. A
// namespace that has not been seen is taken for one without labels.
func (t *topology) concerns(term *Term, k *kind) bool {
	return term.of.Selector.Matches(k.labels) &&
		(term.of.Namespaces.Has(k.namespace) || term.of.NamespaceSelector.Matches(t.namespaces[k.namespace]))
}

// eachKind calls visit with the kinds that a term may match.
func (t *topology) eachKind(term *podspec.Term, visit func(*kind)) {
	if _, selects := term.NamespaceSelector.Requirements(); !selects {
		for namespace := range term.Namespaces {
			for _, k := range t.kindsIn[namespace] {
				visit(k)
			}
		}
		return
	}
	for _, k := range t.kinds {
		visit(k)
	}
}
