package oracle

import (
	"encoding/json"
	"slices"
)

// Shrink takes from a question whatever it can while a difference like the given one
// stays: objects, fields, entries of lists. What is left is small enough to read.
func (o *Oracle) Shrink(q *Question, d Difference, draw uint64) (*Question, Difference) {
	s := &shrinker{oracle: o, draw: draw, like: d, best: q, diff: d}
	text, err := json.Marshal(q)
	if err != nil || json.Unmarshal(text, &s.tree) != nil {
		return q, d
	}
	for s.pass(s.tree) {
	}
	return s.best, s.diff
}

// shrinker works on a question as plain maps and lists, so it knows no types.
type shrinker struct {
	oracle *Oracle
	draw   uint64
	like   Difference

	tree any // what best is made of
	best *Question
	diff Difference
}

// kept are the fields that name an object.
var kept = []string{"name", "namespace", "uid", "metadata"}

// pass tries to take each part of a node of the tree once, from the largest down, and
// reports whether one went.
func (s *shrinker) pass(node any) (shrunk bool) {
	switch node := node.(type) {
	case map[string]any:
		for _, key := range sortedKeys(node) {
			value := node[key]
			if !slices.Contains(kept, key) {
				if delete(node, key); s.holds() {
					shrunk = true
					continue
				}
				node[key] = value
			}
			shrunk = s.parts(value, func(v any) { node[key] = v }) || shrunk
		}
	case []any:
		for i := range node {
			shrunk = s.parts(node[i], func(v any) { node[i] = v }) || shrunk
		}
	}
	return shrunk
}

// parts shrinks a value in its place, which set fills.
func (s *shrinker) parts(value any, set func(any)) (shrunk bool) {
	list, ok := value.([]any)
	if !ok {
		return s.pass(value)
	}
	for i := len(list) - 1; i >= 0; i-- {
		shorter := slices.Delete(slices.Clone(list), i, i+1)
		if set(shorter); s.holds() {
			list, shrunk = shorter, true
			continue
		}
		set(list)
	}
	return s.pass(list) || shrunk
}

// holds reports whether the tree is a question that shows the difference, and keeps
// it if so.
func (s *shrinker) holds() bool {
	text, err := json.Marshal(s.tree)
	if err != nil {
		return false
	}
	q := &Question{}
	if json.Unmarshal(text, q) != nil || !q.whole() {
		return false
	}
	q.complete()
	r, err := s.oracle.Ask(q, s.draw)
	if err != nil {
		return false
	}
	i := slices.IndexFunc(r.Unexplained, s.like.like)
	if i < 0 {
		return false
	}
	s.best, s.diff = q, r.Unexplained[i]
	return true
}

// whole reports whether nothing is missing that each question has: a pod, a node, and
// events that can happen.
func (q *Question) whole() bool {
	if q.Pod == nil || len(q.Nodes) == 0 {
		return false
	}
	for _, e := range q.Events {
		switch {
		case e.Node != nil, e.NodeGone != "" && q.nodeOf(e.NodeGone) != nil:
		case e.Pod != nil && (e.Pod.UID == q.Pod.UID || e.Pod.Spec.NodeName != ""):
		case e.PodGone != "" && e.PodGone != q.Pod.UID && q.podOf(e.PodGone) != nil:
		default:
			return false
		}
	}
	return true
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
