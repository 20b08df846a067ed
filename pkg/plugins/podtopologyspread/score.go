package podtopologyspread

import (
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// PreScore finds the counters of the soft constraints, and the rows that they leave
// alone: those that lack a key, if all keys are needed.
func (s *PodTopologySpread) PreScore(c *framework.Cycle, rows []int32) framework.Prep {
	spread, err := s.spreadOf(c.View, c.Pod)
	if err != nil {
		return framework.Prep{Err: fmt.Errorf("obtaining pod's soft topology spread constraints: %w", err)}
	}
	if len(spread.Soft) == 0 || len(rows) == 0 {
		return framework.Prep{Skip: true}
	}
	s.soft = s.counted(s.soft[:0], c, spread.Soft)
	s.ignored = bitset.Table(s.ignored, len(rows))
	if c.Pod.Spread == nil && !s.allKeys {
		return framework.Prep{}
	}
	for i := range s.soft {
		numbers := s.soft[i].domains.Numbers()
		for k, row := range rows {
			if numbers[row] == cluster.Absent {
				s.ignored[k] = true
			}
		}
	}
	return framework.Prep{}
}

// Score adds up how many pods a row's domains have, each weighed by how many domains
// there are to choose from. Lower is better until Normalize.
func (s *PodTopologySpread) Score(_ *framework.Cycle, rows []int32, out []int64) error {
	s.raw = slices.Grow(s.raw[:0], len(rows))[:len(rows)]
	clear(s.raw)
	for i := range s.soft {
		c := &s.soft[i]
		weight := math.Log(float64(s.choices(c, rows) + 2))
		if c.TopologyKey == corev1.LabelHostname {
			s.addHosts(c, rows, weight)
		} else {
			s.addDomains(c, rows, weight)
		}
	}
	for k, sum := range s.raw {
		if !s.ignored[k] {
			out[k] = int64(math.Round(sum))
		}
	}
	return nil
}

// choices returns how many domains of a constraint the feasible rows make up. Each host
// is taken for one; rows without the label are one together.
func (s *PodTopologySpread) choices(c *constraint, rows []int32) int {
	s.seen = bitset.Table(s.seen, int(c.domains.Top()))
	hosts, domains, numbers := 0, 0, c.domains.Numbers()
	for k, row := range rows {
		if s.ignored[k] {
			continue
		}
		hosts++
		if number := numbers[row]; !s.seen[number] {
			s.seen[number] = true
			domains++
		}
	}
	if c.TopologyKey == corev1.LabelHostname {
		return hosts
	}
	return domains
}

// addDomains adds what the domain of each row is worth.
func (s *PodTopologySpread) addDomains(c *constraint, rows []int32, weight float64) {
	s.worth = s.worth[:0]
	for number := range c.domains.Top() {
		s.worth = append(s.worth, worth(c.domains.Sum(number), c.MaxSkew, weight))
	}
	s.worth[cluster.Absent] = 0
	numbers := c.domains.Numbers()
	for k, row := range rows {
		s.raw[k] += s.worth[numbers[row]]
	}
}

// addHosts is addDomains for a key that names hosts: what is on the node counts, and
// nothing on others of its name.
func (s *PodTopologySpread) addHosts(c *constraint, rows []int32, weight float64) {
	numbers := c.domains.Numbers()
	for k, row := range rows {
		if numbers[row] != cluster.Absent {
			s.raw[k] += worth(c.tally.On(row), c.MaxSkew, weight)
		}
	}
}

func worth(pods, maxSkew int32, weight float64) float64 {
	// The conversion keeps a processor from rounding both steps at once.
	return float64(float64(pods)*weight) + float64(maxSkew-1)
}

// Norm is the plugin's own.
func (*PodTopologySpread) Norm() framework.Norm { return framework.NormCustom }

// Normalize gives the rows with the fewest pods 100, and the others less by how many
// more they have. Rows that are left alone get 0.
func (s *PodTopologySpread) Normalize(_ *framework.Cycle, _ []int32, out []int64) error {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for k, score := range out {
		if !s.ignored[k] {
			least, most = min(least, score), max(most, score)
		}
	}
	for k, score := range out {
		switch {
		case s.ignored[k]:
			out[k] = 0
		case most == 0:
			out[k] = 100
		default:
			out[k] = 100 * (most + least - score) / most
		}
	}
	return nil
}
