package sim

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// scale weighs rows with one scorer. What a row gets after normalisation is read
// from a chain's choice, by letting each row win in turn.
type scale struct {
	cycle  framework.Cycle
	plugin framework.Scorer
	chain  *runtime.Chain
	frame  *frame
}

func newScale(plugin framework.Scorer, c *cluster.Cluster) (*scale, error) {
	s := &scale{cycle: framework.Cycle{View: &c.View, Try: c.Try()}, plugin: plugin, frame: &frame{}}
	var err error
	s.chain, err = runtime.New(runtime.AtAllPoints("sim", []runtime.Enabled{{Plugin: onlyScorer{plugin}}, {Plugin: s.frame, Weight: push}}), c, nobody{})
	return s, err
}

// compare weighs a pod on some nodes, which are in the order of their rows.
func (s *scale) compare(p *podspec.Pod, nodes []*corev1.Node, raw, normal []int64) error {
	if len(nodes) == 0 {
		return nil
	}
	s.cycle.Pod = p
	rows := s.rows(nodes)
	if prep := (onlyScorer{s.plugin}).PreScore(&s.cycle, rows); prep.Skip {
		return skipped(normal)
	}
	got, err := s.raw(rows)
	if err != nil {
		return err
	}
	if !slices.Equal(got, raw) {
		return fmt.Errorf("raw scores of %s: %v, want %v", names(nodes), got, raw)
	}
	if len(rows) == 1 { // a single row is not scored by the chain
		return nil
	}
	got, err = s.normalised(p, rows)
	if err == nil && !slices.Equal(got, normal) {
		err = fmt.Errorf("normalised scores of %s: %v, want %v", names(nodes), got, normal)
	}
	return err
}

// raw asks the plugin itself.
func (s *scale) raw(rows []int32) ([]int64, error) {
	out := make([]int64, len(rows))
	if prep := (onlyScorer{s.plugin}).PreScore(&s.cycle, rows); prep.Err != nil || prep.Skip {
		return out, prep.Err
	}
	return out, s.plugin.Score(&s.cycle, rows, out)
}

// skipped judges a scorer that wants no part in it: right when it could not have
// made a difference.
func skipped(normal []int64) error {
	if slices.Min(normal) != slices.Max(normal) {
		return fmt.Errorf("PreScore skips, want scores %v", normal)
	}
	return nil
}

// normalised lets the chain rank the rows. The pod's nomination is left out: where
// it holds, the chain looks at no other row.
func (s *scale) normalised(p *podspec.Pod, rows []int32) ([]int64, error) {
	free := *p
	free.Nominated = ""
	s.frame.rows.Resize(s.cycle.View.Rows())
	s.frame.rows.Clear()
	for _, row := range rows {
		s.frame.rows.Add(row)
	}
	var scores []int64
	for _, row := range rows {
		s.frame.winner = row
		if _, err := s.chain.Narrow(&free); err != nil {
			return nil, err
		}
		choice, err := s.chain.Rank(0)
		if err != nil {
			return nil, err
		}
		scores = append(scores, choice.Score-push*push)
	}
	return scores, nil
}

func (s *scale) rows(nodes []*corev1.Node) []int32 {
	rows := make([]int32, len(nodes))
	for i, n := range nodes {
		rows[i] = s.row(n)
	}
	return rows
}

func (s *scale) row(n *corev1.Node) int32 {
	row, _ := s.cycle.View.Row(n.Name)
	return row
}

func names(nodes []*corev1.Node) []string {
	list := make([]string, len(nodes))
	for i, n := range nodes {
		list[i] = n.Name
	}
	return list
}
