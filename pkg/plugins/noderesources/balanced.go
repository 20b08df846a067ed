package noderesources

import (
	"fmt"
	"math"

	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// BalancedName is Balanced's name in a profile.
const BalancedName = "NodeResourcesBalancedAllocation"

// Balanced prefers nodes whose resources would be used more evenly with the pod than
// without it. It counts true requests, without defaults, and of a pod that waits what its
// status tells as well, as if the pod were on the node.
type Balanced struct {
	resources []weighted
	uses      []use // buffer of Score
	shares    shares
}

// use is one resource on all rows, and what the pod adds.
type use struct {
	offered, taken []int64
	add            int64
}

var (
	_ framework.PreScorer = (*Balanced)(nil)
	_ framework.Scorer    = (*Balanced)(nil)
	_ framework.Keeper    = (*Balanced)(nil)
)

// NewBalanced makes the plugin. args may be nil.
func NewBalanced(args *configv1.NodeResourcesBalancedAllocationArgs) *Balanced {
	if args == nil || len(args.Resources) == 0 {
		return &Balanced{resources: cpuAndMemory}
	}
	return &Balanced{resources: resourcesOf(args.Resources)}
}

// Name returns the plugin's name.
func (*Balanced) Name() string { return BalancedName }

// PreScore skips for pods that ask for none of the resources.
func (b *Balanced) PreScore(c *framework.Cycle, _ []int32) framework.Prep {
	for _, r := range b.resources {
		if col, known := r.column(c); known && c.Pod.Usage.Of(col) > 0 {
			return framework.Prep{}
		}
	}
	return framework.Prep{Skip: true}
}

// Score compares how even the use is with the pod and without it. Evenness is 100 less
// the standard deviation of the shares in use, in percent; a resource that a node does
// not offer is left out there.
func (b *Balanced) Score(c *framework.Cycle, rows []int32, out []int64) error {
	b.uses = b.uses[:0]
	for _, r := range b.resources {
		col, known := r.column(c)
		add, counts := scoredFor(c.Pod.Usage, col)
		if offered := c.View.Allocatable(col); known && counts && offered != nil {
			b.uses = append(b.uses, use{offered, c.View.Requested(col), add})
		}
	}
	if len(b.uses) == 2 { // CPU and memory, nearly always
		scoreTwo(&b.uses[0], &b.uses[1], rows, out)
	} else {
		b.scoreMany(rows, out)
	}
	return nil
}

// scoreTwo is scoreMany for two resources: they deviate by half their distance.
func scoreTwo(x, y *use, rows []int32, out []int64) {
	for i, row := range rows {
		a, b := x.offered[row], y.offered[row]
		if a == 0 || b == 0 { // one number or none does not deviate
			out[i] = unchanged
			continue
		}
		s, t := x.taken[row], y.taken[row]
		fa, fb := float64(a), float64(b)
		without := math.Abs(min(1, float64(s)/fa)-min(1, float64(t)/fb)) / 2
		if s += x.add; s < 0 { // beyond the top
			s = math.MaxInt64
		}
		if t += y.add; t < 0 {
			t = math.MaxInt64
		}
		with := math.Abs(min(1, float64(s)/fa)-min(1, float64(t)/fb)) / 2
		out[i] = 50 + (50+int64((1-with)*100)-int64((1-without)*100))/2
	}
}

// unchanged is the score of a row that the pod makes neither more even nor less.
const unchanged = 50 + 50/2

// Norm is none: scores are percentages.
func (*Balanced) Norm() framework.Norm { return framework.NormNone }

// Fragment spells out what the pod would take.
func (*Balanced) Fragment(p *podspec.Pod) string { return fmt.Sprint(p.Usage) }

// Scope is the row.
func (*Balanced) Scope() framework.Scope { return framework.PerRow }
