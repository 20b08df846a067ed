package noderesources

import (
	"fmt"
	"math"

	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/quantity"
)

// BalancedName is Balanced's name in a profile.
const BalancedName = "NodeResourcesBalancedAllocation"

// Balanced prefers nodes whose resources would be used more evenly with the pod than
// without it. It counts true requests, without defaults.
type Balanced struct {
	resources []weighted

	with, without usage
}

// usage is, for each row of one call, the shares of its resources in use.
type usage struct {
	n    []int32   // how many resources the row offers
	a, b []float64 // the first two of them, which is nearly always all
	more [][]float64
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
		if col, known := r.column(c); known && c.Pod.Requests.Of(col) > 0 {
			return framework.Prep{}
		}
	}
	return framework.Prep{Skip: true}
}

// Score compares how even the use is with the pod and without it: 50 when the pod
// changes nothing.
func (b *Balanced) Score(c *framework.Cycle, rows []int32, out []int64) error {
	b.with.reset(len(rows))
	b.without.reset(len(rows))
	for _, r := range b.resources {
		col, known := r.column(c)
		add, counts := scoredFor(c.Pod.Requests, col)
		offered := c.View.Allocatable(col)
		if !known || !counts || offered == nil {
			continue
		}
		taken := c.View.Requested(col)
		b.with.add(rows, offered, taken, add)
		b.without.add(rows, offered, taken, 0)
	}
	for i := range out {
		out[i] = 50 + (50+b.with.evenness(i)-b.without.evenness(i))/2
	}
	return nil
}

func (u *usage) reset(n int) {
	if cap(u.n) < n {
		u.n, u.a, u.b = make([]int32, n), make([]float64, n), make([]float64, n)
		u.more = make([][]float64, n)
	}
	u.n, u.a, u.b, u.more = u.n[:n], u.a[:n], u.b[:n], u.more[:n]
	clear(u.n)
	for i := range u.more {
		u.more[i] = u.more[i][:0]
	}
}

// add notes the share in use of one more resource.
func (u *usage) add(rows []int32, offered, taken []int64, add int64) {
	for i, row := range rows {
		a := offered[row]
		if a == 0 {
			continue
		}
		share := min(1, float64(quantity.Add(taken[row], add))/float64(a))
		switch u.n[i] {
		case 0:
			u.a[i] = share
		case 1:
			u.b[i] = share
		default:
			u.more[i] = append(u.more[i], share)
		}
		u.n[i]++
	}
}

// evenness is 100 less the standard deviation of the shares in percent.
func (u *usage) evenness(i int) int64 {
	var deviation float64
	switch n := u.n[i]; {
	case n == 2: // the deviation of two numbers is half their distance
		deviation = math.Abs((u.a[i] - u.b[i]) / 2)
	case n > 2:
		deviation = u.deviation(i)
	}
	return int64((1 - deviation) * 100)
}

func (u *usage) deviation(i int) float64 {
	n := float64(u.n[i])
	sum := u.a[i] + u.b[i]
	for _, share := range u.more[i] {
		sum += share
	}
	mean := sum / n
	squares := (u.a[i]-mean)*(u.a[i]-mean) + (u.b[i]-mean)*(u.b[i]-mean)
	for _, share := range u.more[i] {
		squares += (share - mean) * (share - mean)
	}
	return math.Sqrt(squares / n)
}

// Norm is none: scores are percentages.
func (*Balanced) Norm() framework.Norm { return framework.NormNone }

// Fragment spells the requests out.
func (*Balanced) Fragment(p *podspec.Pod) string { return fmt.Sprint(p.Requests) }

// Scope is the row.
func (*Balanced) Scope() framework.Scope { return framework.PerRow }
