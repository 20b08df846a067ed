package podtopologyspread

import (
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// PreScore finds the counters of the soft constraints, and the rows that they leave
// alone: those that lack a key, if all keys are needed.
func (s *PodTopologySpread) PreScore(c *framework.Cycle, rows []int32) framework.Prep {
	spread := s.spreadOf(c.View, c.Pod)
	if spread.SoftErr != nil {
		return framework.Prep{Err: fmt.Errorf("obtaining pod's soft topology spread constraints: %w", spread.SoftErr)}
	}
	if len(spread.Soft) == 0 || len(rows) == 0 {
		return framework.Prep{Skip: true}
	}
	s.soft = s.soft[:0]
	for i := range spread.Soft {
		s.soft = append(s.soft, s.preferred(c, &spread.Soft[i]))
	}
	s.ignored = bitset.Table(s.ignored, len(rows))
	if s.lenient = c.Pod.Spread == nil && !s.allKeys; s.lenient {
		return framework.Prep{}
	}
	for i := range s.soft {
		numbers := s.soft[i].numbers()
		for k, row := range rows {
			if valueOn(numbers, row) == cluster.Absent {
				s.ignored[k] = true
			}
		}
	}
	return framework.Prep{}
}

// preferred returns a soft constraint with its counters. A host is a row, whose pods are
// counted already, so that hosts need no counter by domain, which were one for each row.
func (s *PodTopologySpread) preferred(c *framework.Cycle, of *podspec.SpreadConstraint) constraint {
	if of.TopologyKey != corev1.LabelHostname {
		return s.counted(c, of)
	}
	return constraint{SpreadConstraint: of, onHost: c.View.Tally(&of.Pods), hosts: c.View.Label(of.TopologyKey)}
}

// numbers returns the key's value of each row, as a number. It may be shorter than the
// table.
func (c *constraint) numbers() []int32 {
	switch {
	case c.domains != nil:
		return c.domains.Numbers()
	case c.hosts != nil:
		return c.hosts.Numbers()
	}
	return nil
}

func valueOn(numbers []int32, row int32) int32 {
	if int(row) >= len(numbers) {
		return cluster.Absent
	}
	return numbers[row]
}

// Score adds up how many pods a row's domains have, each weighed by how many domains
// there are to choose from. Lower is better until Normalize.
func (s *PodTopologySpread) Score(_ *framework.Cycle, rows []int32, out []int64) error {
	s.raw = slices.Grow(s.raw[:0], len(rows))[:len(rows)]
	clear(s.raw)
	for i := range s.soft {
		c := &s.soft[i]
		weight := math.Log(float64(s.choices(c, rows) + 2))
		if c.onHost != nil {
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
// is taken for one; rows without the label are one together, with those whose value is "".
func (s *PodTopologySpread) choices(c *constraint, rows []int32) int {
	if c.onHost != nil {
		return s.notIgnored()
	}
	s.seen = bitset.Table(s.seen, int(c.domains.Top()))
	domains, numbers := 0, c.domains.Numbers()
	for k, row := range rows {
		if number := numbers[row]; !s.ignored[k] && !s.seen[number] {
			s.seen[number] = true
			domains++
		}
	}
	if empty := c.domains.Number(""); empty != cluster.Absent && s.seen[empty] && s.seen[cluster.Absent] {
		domains--
	}
	return domains
}

func (s *PodTopologySpread) notIgnored() int {
	n := 0
	for _, ignored := range s.ignored {
		if !ignored {
			n++
		}
	}
	return n
}

// addDomains adds what the domain of each row is worth.
func (s *PodTopologySpread) addDomains(c *constraint, rows []int32, weight float64) {
	s.worth = s.worth[:0]
	for _, pods := range c.domains.Sums() {
		s.worth = append(s.worth, worth(pods, c.MaxSkew, weight))
	}
	for number := len(s.worth); number < int(c.domains.Top()); number++ {
		s.worth = append(s.worth, worth(0, c.MaxSkew, weight))
	}
	if empty := c.domains.Number(""); s.lenient && empty != cluster.Absent {
		s.worth[empty] = worth(c.domains.Sum(empty)+c.domains.Beside(), c.MaxSkew, weight)
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
	numbers, pods := c.numbers(), c.onHost.Rows()
	for k, row := range rows {
		if valueOn(numbers, row) != cluster.Absent {
			s.raw[k] += worth(pods[row], c.MaxSkew, weight)
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
