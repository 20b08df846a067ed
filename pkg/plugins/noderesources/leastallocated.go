package noderesources

import (
	"math"
	"math/bits"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// weighted is a resource that scores count.
type weighted struct {
	col    int32
	weight int64
}

// leastAllocated rates a row by the share of each resource that would stay free,
// as a weighted mean in 0..100. A resource that the node does not offer is left out
// of its mean, and a scalar that the pod does not ask for out of all means.
type leastAllocated struct {
	resources []weighted
	divisor   []int64 // by index into rows; weights that counted for the row
}

const largestPlain = math.MaxInt64 / 100 // 100 times more still fits

func (l *leastAllocated) rate(c *framework.Cycle, rows []int32, out []int64) {
	l.divisor = zeros(l.divisor, len(rows))
	for _, r := range l.resources {
		add := c.Pod.Scoring.Of(r.col)
		if podspec.IsScalarColumn(r.col) && add == 0 {
			continue
		}
		if offered := c.View.Allocatable(r.col); offered != nil {
			addFreeShare(rows, out, l.divisor, offered, c.View.Scored(r.col), add, r.weight)
		}
	}
	for i, d := range l.divisor {
		if d > 0 {
			out[i] /= d
		}
	}
}

// addFreeShare adds weight times the percentage that stays free of one resource.
func addFreeShare(rows []int32, out, divisor, offered, taken []int64, add, weight int64) {
	for i, row := range rows {
		a := offered[row]
		if a == 0 {
			continue
		}
		divisor[i] += weight
		left := a - add // never below -MaxInt64, as neither is negative
		if t := taken[row]; t >= left {
			continue
		} else {
			left -= t
		}
		if left <= largestPlain {
			out[i] += left * 100 / a * weight
			continue
		}
		hi, lo := bits.Mul64(uint64(left), 100)
		share, _ := bits.Div64(hi, lo, uint64(a)) // hi < 50 and a > largestPlain
		out[i] += int64(share) * weight
	}
}

// zeros returns buf with n zeros, in the same memory when it suffices.
func zeros(buf []int64, n int) []int64 {
	if cap(buf) < n {
		return make([]int64, n, n+n/4)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}
