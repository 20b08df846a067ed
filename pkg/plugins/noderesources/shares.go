package noderesources

import "math"

// shares is, for each row of one call, how much of each resource is in use.
type shares struct {
	of      [][]float64 // by resource and row; notOffered where the row has none of it
	n       []float64   // resources that the row offers
	sum     []float64
	squares []float64 // of the distances from the mean
}

const notOffered = -1

// scoreMany is Score for any number of resources, one pass over the rows for each.
func (b *Balanced) scoreMany(rows []int32, out []int64) {
	s := &b.shares
	s.fill(b.uses, rows, false)
	s.subtractEvenness(out)
	s.fill(b.uses, rows, true)
	for i := range out {
		out[i] = -out[i]
	}
	s.subtractEvenness(out)
	for i := range out {
		out[i] = 50 + (50-out[i])/2
	}
}

// fill computes the shares, with the pod or without it.
func (s *shares) fill(uses []use, rows []int32, with bool) {
	s.n, s.sum, s.squares = floats(s.n, len(rows)), floats(s.sum, len(rows)), floats(s.squares, len(rows))
	for len(s.of) < len(uses) {
		s.of = append(s.of, nil)
	}
	s.of = s.of[:len(uses)]
	for u := range uses {
		s.of[u] = floats(s.of[u], len(rows))
		s.column(&uses[u], s.of[u], rows, with)
	}
	for _, column := range s.of {
		for i, share := range column {
			if share != notOffered {
				d := share - s.sum[i]/s.n[i]
				s.squares[i] += d * d
			}
		}
	}
}

func (s *shares) column(u *use, column []float64, rows []int32, with bool) {
	add := u.add
	if !with {
		add = 0
	}
	for i, row := range rows {
		a := u.offered[row]
		if a == 0 {
			column[i] = notOffered
			continue
		}
		taken := u.taken[row] + add
		if taken < 0 { // beyond the top
			taken = math.MaxInt64
		}
		column[i] = min(1, float64(taken)/float64(a))
		s.n[i]++
		s.sum[i] += column[i]
	}
}

// subtractEvenness takes each row's evenness off out.
func (s *shares) subtractEvenness(out []int64) {
	for i := range out {
		switch n := s.n[i]; {
		case n < 2: // one number or none does not deviate
			out[i] -= 100
		case n == 2: // half their distance, to the last bit
			lo, hi := 1.0, 0.0
			for _, column := range s.of {
				if share := column[i]; share != notOffered {
					lo, hi = min(lo, share), max(hi, share)
				}
			}
			out[i] -= int64((1 - (hi-lo)/2) * 100)
		default:
			out[i] -= int64((1 - math.Sqrt(s.squares[i]/n)) * 100)
		}
	}
}

// floats returns buf with n zeros, in the same memory when it suffices.
func floats(buf []float64, n int) []float64 {
	if cap(buf) < n {
		return make([]float64, n, n+n/4)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}
