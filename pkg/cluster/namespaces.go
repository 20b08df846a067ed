package cluster

import (
	"maps"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// SetNamespace records the labels of a namespace that exists.
func (c *Cluster) SetNamespace(name string, set map[string]string) {
	c.mustBeSettled()
	if was, seen := c.topology.namespaces[name]; seen && maps.Equal(was, set) {
		return
	}
	c.topology.namespaces[name] = set
	c.topology.relabelled(name)
}

// RemoveNamespace forgets a namespace that does not exist any more.
func (c *Cluster) RemoveNamespace(name string) {
	c.mustBeSettled()
	delete(c.topology.namespaces, name)
	delete(c.backers.found, name) // which no pod will ask for again
	c.topology.relabelled(name)
}

// Namespace returns the labels of a namespace, if it has been seen.
func (v *View) Namespace(name string) (labels.Set, bool) {
	set, seen := v.topology.namespaces[name]
	return set, seen
}

// relabelled holds the selectors that look at namespaces against the kinds of one again.
func (t *topology) relabelled(namespace string) {
	for _, k := range t.kindsIn[namespace] {
		for _, tally := range t.tallies {
			if looksAtNamespaces(&tally.of) {
				t.recount(tally, k)
			}
		}
		for _, term := range t.terms {
			if !selectsByLabels(&term.of) {
				continue
			}
			if k.terms = without(k.terms, term); t.concerns(term, k) {
				k.terms = append(k.terms, term)
			}
		}
	}
}

// recount puts a kind into a tally or out of it.
func (t *topology) recount(tally *Tally, k *kind) {
	tally.catchUp()
	was, now := k.tallies.Has(tally.number), t.counts(&tally.of, k)
	switch {
	case was && !now:
		tally.exclude(k)
	case now && !was:
		tally.include(k)
	}
}

func looksAtNamespaces(s *podspec.Selection) bool {
	for i := range s.Terms {
		if selectsByLabels(&s.Terms[i]) {
			return true
		}
	}
	return false
}

// selectsByLabels reports whether a term selects namespaces by their labels.
func selectsByLabels(t *podspec.Term) bool {
	requirements, _ := t.NamespaceSelector.Requirements()
	return len(requirements) > 0
}
