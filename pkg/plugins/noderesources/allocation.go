package noderesources

import (
	"math"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/quantity"
)

// allocation rates a row by the share of each resource that would stay free, or with
// most by the share that would be used, as a weighted mean in 0..100. A resource that
// the node does not offer is left out of its mean, and a scalar that the pod does not
// ask for out of all means.
type allocation struct {
	resources []weighted
	most      bool
	divisor   []int64 // by index into rows; weights that counted for the row
}

const largestPlain = quantity.Max / 100 // 100 times more still fits

func (l *allocation) rate(c *framework.Cycle, rows []int32, out []int64) {
	l.divisor = zeros(l.divisor, len(rows))
	for _, r := range l.resources {
		col, known := r.column(c)
		add, counts := scoredFor(c.Pod.Scoring, col)
		if !known || !counts {
			continue
		}
		offered, taken := c.View.Allocatable(col), c.View.Scored(col)
		switch {
		case offered == nil:
		case l.most:
			addUsedShare(rows, out, l.divisor, offered, taken, add, r.weight)
		default:
			addFreeShare(rows, out, l.divisor, offered, taken, add, r.weight)
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
		if left <= largestPlain { // nearly always
			out[i] += left * 100 / a * weight
		} else {
			out[i] += quantity.MulDiv(left, 100, a) * weight
		}
	}
}

// addUsedShare adds weight times the percentage that would be used of one resource.
func addUsedShare(rows []int32, out, divisor, offered, taken []int64, add, weight int64) {
	for i, row := range rows {
		a := offered[row]
		if a == 0 {
			continue
		}
		divisor[i] += weight
		used := a // at the most
		if t := taken[row]; t < a-add {
			used = t + add
		}
		if used <= largestPlain { // nearly always
			out[i] += used * 100 / a * weight
		} else {
			out[i] += quantity.MulDiv(used, 100, a) * weight
		}
	}
}

// capacityRatio rates a row by a table over the utilization of each resource. Those
// that score nothing do not count in the mean.
type capacityRatio struct {
	resources []weighted
	score     [101]int64 // by utilization in percent
	divisor   []int64
}

func (r *capacityRatio) rate(c *framework.Cycle, rows []int32, out []int64) {
	r.divisor = zeros(r.divisor, len(rows))
	for _, res := range r.resources {
		col, known := res.column(c)
		add, counts := scoredFor(c.Pod.Scoring, col)
		if !known || !counts || c.View.Allocatable(col) == nil {
			continue
		}
		r.addScores(rows, out, c.View.Allocatable(col), c.View.Scored(col), add, res.weight)
	}
	for i, d := range r.divisor {
		if d > 0 {
			out[i] = int64(math.Round(float64(out[i]) / float64(d)))
		}
	}
}

func (r *capacityRatio) addScores(rows []int32, out, offered, taken []int64, add, weight int64) {
	for i, row := range rows {
		a := offered[row]
		if a == 0 {
			continue
		}
		u := int64(100)
		if t := taken[row]; t <= a-add {
			u = quantity.MulDiv(t+add, 100, a)
		}
		if s := r.score[u]; s > 0 {
			out[i] += s * weight
			r.divisor[i] += weight
		}
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
