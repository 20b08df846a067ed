package runtime

import (
	"fmt"
	"math/bits"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// Choice is the row that an attempt ends with.
type Choice struct {
	Row   int32
	Score int64 // weighted total; 0 when there was nothing to compare
	Ties  int   // rows with the same total, the chosen one among them
}

const maxScore = 100 // after normalisation

// Rank scores the feasible rows and chooses one of the best. draw is a uniform
// random number that decides between equals. There must be a feasible row.
func (ch *Chain) Rank(draw uint64) (choice Choice, err error) {
	defer ch.contain(&err)
	ch.rows = ch.fit.AppendTo(ch.rows[:0])
	if len(ch.rows) == 1 {
		return Choice{Row: ch.rows[0], Ties: 1}, nil
	}
	since := ch.begin()
	err = ch.preScore()
	since = ch.ran(config.PreScore, outcome(err), since)
	if err != nil {
		return Choice{}, err
	}
	err = ch.sum()
	ch.ran(config.Score, outcome(err), since)
	if err != nil {
		return Choice{}, err
	}
	return ch.best(draw), nil
}

// sum adds what all scorers give.
func (ch *Chain) sum() error {
	ch.total = resize(ch.total, len(ch.rows))
	for i := range ch.scorers {
		if s := &ch.scorers[i]; !s.skipped {
			if err := ch.add(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (ch *Chain) preScore() error {
	since := ch.call()
	for i := range ch.scorers {
		s := &ch.scorers[i]
		if s.pre == nil {
			continue
		}
		ch.running = s.name
		prep := s.pre.PreScore(&ch.cycle, ch.rows)
		since = ch.called(s.name, config.PreScore, outcomeOf(&prep), since)
		if !prep.Skip {
			s.prepared++
		}
		if prep.Err != nil {
			return fmt.Errorf("running PreScore plugin %q: %w", s.name, prep.Err)
		}
		s.skipped = prep.Skip
	}
	return nil
}

// add runs one scorer and adds its weighted scores to the totals.
func (ch *Chain) add(s *scorer) error {
	ch.raw = resize(ch.raw, len(ch.rows))
	ch.running = s.name
	s.scored += uint64(len(ch.rows))
	since := ch.call()
	err := s.score.Score(&ch.cycle, ch.rows, ch.raw)
	since = ch.called(s.name, config.Score, outcome(err), since)
	if err != nil {
		return fmt.Errorf("running Score plugins: plugin %q failed with: %w", s.name, err)
	}
	err = ch.normalize(s)
	if ch.each && s.score.Norm() != framework.NormNone {
		ch.called(s.name, Normalize, outcome(err), since)
	}
	if err != nil {
		return fmt.Errorf("running Normalize on Score plugins: plugin %q failed with: %w", s.name, err)
	}
	for i, score := range ch.raw {
		if score < 0 || score > maxScore {
			return fmt.Errorf("plugin %q returns an invalid score %v, it should in the range of [0, %d] after normalizing",
				s.name, score, maxScore)
		}
		ch.total[i] += score * s.weight
	}
	return nil
}

func (ch *Chain) normalize(s *scorer) error {
	switch s.score.Norm() {
	case framework.NormMax:
		toLargest(ch.raw)
	case framework.NormMaxReversed:
		toLargest(ch.raw)
		for i, score := range ch.raw {
			ch.raw[i] = maxScore - score
		}
	case framework.NormMinMax:
		toSpan(ch.raw)
	case framework.NormCustom:
		return s.score.(framework.Normalizer).Normalize(&ch.cycle, ch.rows, ch.raw)
	}
	return nil
}

// toLargest scales scores so that the largest becomes 100; all zero stays zero.
func toLargest(scores []int64) {
	var largest int64
	for _, s := range scores {
		largest = max(largest, s)
	}
	if largest == 0 {
		return
	}
	for i, s := range scores {
		scores[i] = maxScore * s / largest
	}
}

// toSpan scales scores so that the smallest becomes 0 and the largest 100; all
// equal become 0. It rounds as kube-scheduler does, which divides before it multiplies:
// 29 of 0 to 100 becomes 28.
func toSpan(scores []int64) {
	lo, hi := scores[0], scores[0]
	for _, s := range scores {
		lo, hi = min(lo, s), max(hi, s)
	}
	for i, s := range scores {
		if scores[i] = 0; hi > lo {
			scores[i] = int64(maxScore * (float64(s-lo) / float64(hi-lo)))
		}
	}
}

// best draws uniformly among the rows with the highest total.
func (ch *Chain) best(draw uint64) Choice {
	top, ties := ch.total[0], 0
	for _, t := range ch.total {
		switch {
		case t > top:
			top, ties = t, 1
		case t == top:
			ties++
		}
	}
	pick, _ := bits.Mul64(draw, uint64(ties)) // draw * ties / 2^64
	for i, t := range ch.total {
		if t != top {
			continue
		}
		if pick == 0 {
			return Choice{Row: ch.rows[i], Score: top, Ties: ties}
		}
		pick--
	}
	panic("BUG: runtime: no row has the highest total")
}

// resize returns buf with n zeros, in the same memory when it suffices.
func resize(buf []int64, n int) []int64 {
	if cap(buf) < n {
		return make([]int64, n, n+n/4)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}
