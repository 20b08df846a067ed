package sim

import (
	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// frame is what a chain needs around a scorer to be judged: it sorts and binds,
// leaves the rows that were drawn, and lets one of them win.
type frame struct {
	rows   bitset.Set
	winner int32
}

// push is what the frame gives to the winner, times a weight of the same size: more
// than the judged scorer can give.
const push = 100

var (
	_ framework.QueueSort = (*frame)(nil)
	_ framework.Binder    = (*frame)(nil)
	_ framework.Filter    = (*frame)(nil)
	_ framework.Scorer    = (*frame)(nil)
)

func (*frame) Name() string                     { return "frame" }
func (*frame) Less(_, _ *framework.Queued) bool { return false }
func (*frame) Binds(*podspec.Pod) bool          { return true }
func (*frame) Norm() framework.Norm             { return framework.NormNone }

func (f *frame) Narrow(_ *framework.Cycle, fit *bitset.Set, _ *framework.Verdicts) error {
	fit.And(&f.rows)
	return nil
}

func (f *frame) Score(_ *framework.Cycle, rows []int32, out []int64) error {
	for i, row := range rows {
		if row == f.winner {
			out[i] = push
		}
	}
	return nil
}

// onlyScorer is the scoring side of a plugin, without its filter.
type onlyScorer struct{ framework.Scorer }

var (
	_ framework.PreScorer  = onlyScorer{}
	_ framework.Normalizer = onlyScorer{}
)

// PreScore does what the plugin's does, if it has one.
func (o onlyScorer) PreScore(c *framework.Cycle, rows []int32) framework.Prep {
	if pre, ok := o.Scorer.(framework.PreScorer); ok {
		return pre.PreScore(c, rows)
	}
	return framework.Prep{}
}

// Normalize is called for plugins of the custom kind only.
func (o onlyScorer) Normalize(c *framework.Cycle, rows []int32, out []int64) error {
	return o.Scorer.(framework.Normalizer).Normalize(c, rows, out)
}

// nobody is nominated.
type nobody struct{}

func (nobody) Nominated(string) []*podspec.Pod { return nil }
func (nobody) Nodes() []string                 { return nil }
