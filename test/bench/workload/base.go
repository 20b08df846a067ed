package workload

import (
	"fmt"
	"maps"
)

// typed is a type that may stand on another of its kind.
type typed[T any] interface {
	base() string
	over(T) T // this type's fields where it has them, else those of the base
}

// resolved returns the types with their bases worked in.
func resolved[T typed[T]](kind string, types map[string]T) (map[string]T, error) {
	out := map[string]T{}
	for name := range types {
		t, err := flatten(types, name, len(types))
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", kind, name, err)
		}
		out[name] = t
	}
	return out, nil
}

// flatten works in the base of one type. A chain of bases longer than there are types goes in a circle.
func flatten[T typed[T]](types map[string]T, name string, left int) (T, error) {
	t, known := types[name]
	switch {
	case !known:
		return t, fmt.Errorf("there is no %q", name)
	case left == 0:
		return t, fmt.Errorf("its bases go in a circle")
	case t.base() == "":
		return t, nil
	}
	base, err := flatten(types, t.base(), left-1)
	if err != nil {
		return t, err
	}
	return t.over(base), nil
}

// or returns a, or b when a is the zero value.
func or[T comparable](a, b T) T {
	var zero T
	if a != zero {
		return a
	}
	return b
}

// merged returns base with the labels of own added or replaced.
func merged(own, base map[string]string) map[string]string {
	if len(own) == 0 {
		return base
	}
	out := maps.Clone(base)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, own)
	return out
}
