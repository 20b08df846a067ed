package cluster

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// finder finds the selectors that may match a set of labels. Most selectors ask for one
// value of some key; only those that have it are tried.
type finder[T comparable] struct {
	exact map[pair][]T
	other []T
}

type pair struct{ key, value string }

func (f *finder[T]) add(s labels.Selector, item T) {
	p, ok := pairOf(s)
	if !ok {
		f.other = append(f.other, item)
		return
	}
	if f.exact == nil {
		f.exact = map[pair][]T{}
	}
	f.exact[p] = append(f.exact[p], item)
}

func (f *finder[T]) remove(s labels.Selector, item T) {
	p, ok := pairOf(s)
	if !ok {
		f.other = without(f.other, item)
		return
	}
	if f.exact[p] = without(f.exact[p], item); len(f.exact[p]) == 0 {
		delete(f.exact, p)
	}
}

// each calls visit with the items whose selector may match.
func (f *finder[T]) each(set labels.Set, visit func(T)) {
	for _, item := range f.other {
		visit(item)
	}
	if len(f.exact) == 0 {
		return
	}
	for key, value := range set {
		for _, item := range f.exact[pair{key, value}] {
			visit(item)
		}
	}
}

// pairOf returns a label that a set must have to be matched, if there is one.
func pairOf(s labels.Selector) (pair, bool) {
	requirements, _ := s.Requirements()
	for i := range requirements {
		r := &requirements[i]
		switch r.Operator() {
		case selection.In, selection.Equals, selection.DoubleEquals:
			if values := r.ValuesUnsorted(); len(values) == 1 {
				return pair{r.Key(), values[0]}, true
			}
		}
	}
	return pair{}, false
}

// without removes one item; the last one takes its place.
func without[T comparable](list []T, item T) []T {
	i := slices.Index(list, item)
	if i < 0 {
		return list
	}
	last := len(list) - 1
	list[i] = list[last]
	clear(list[last:])
	return list[:last]
}
