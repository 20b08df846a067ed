package sim

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Rate is the plain definition of a raw score.
type Rate func(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) int64

// Normal is the plain definition of what raw scores become over the rows that were
// compared.
type Normal func(raw []int64) []int64

// Unchanged is the Normal of scores that are left as they are.
func Unchanged(raw []int64) []int64 { return raw }

// JudgeScore holds a scorer against its plain definitions on n random worlds, for
// some of the rows: their raw scores, and what the chain makes of them.
func JudgeScore(t testing.TB, n int, plugin func() framework.Scorer, plain Rate, normal Normal) {
	t.Helper()
	JudgeScoreIn(t, n, (*Gen).World, plugin, plain, normal)
}

// JudgeScoreIn is JudgeScore on worlds of a kind.
func JudgeScoreIn(t testing.TB, n int, draw func(*Gen) *World, plugin func() framework.Scorer, plain Rate, normal Normal) {
	t.Helper()
	Each(t, n, func(seed uint64) error { return judgeScore(seed, draw, plugin(), plain, normal) })
}

func judgeScore(seed uint64, draw func(*Gen) *World, plugin framework.Scorer, plain Rate, normal Normal) error {
	g := New(seed)
	w, specs := draw(g), podspec.NewCompiler()
	s, err := newScale(plugin, w.Load(specs))
	if err != nil {
		return err
	}
	for _, p := range w.Pending {
		nodes := g.some(w.Nodes)
		slices.SortFunc(nodes, func(a, b *corev1.Node) int { return int(s.row(a) - s.row(b)) })
		raw := make([]int64, 0, len(nodes))
		for _, n := range nodes {
			raw = append(raw, plain(n, w.On(n.Name), p))
		}
		if err := s.compare(specs.Compile(p), nodes, raw, normal(slices.Clone(raw))); err != nil {
			return fmt.Errorf("%s\n%w\n%s", PodLine(p), err, w)
		}
	}
	return nil
}

// some draws a part of the nodes.
func (g *Gen) some(nodes []*corev1.Node) []*corev1.Node {
	part := Pick(g, 30, 70, 100)
	return slices.DeleteFunc(slices.Clone(nodes), func(*corev1.Node) bool { return !g.Chance(part) })
}
