package interpodaffinity

import (
	"fmt"
	"slices"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// keyed is a sum for each domain of some topology keys.
type keyed struct {
	used int
	list []keySums
}

type keySums struct {
	key     string
	numbers []int32 // by row
	sums    []int64 // by value number
}

// of returns the sums of a key, zeros at first.
func (k *keyed) of(key string, numbers []int32, top int32) []int64 {
	for i := range k.list[:k.used] {
		if k.list[i].key == key {
			return k.list[i].sums
		}
	}
	if k.used == len(k.list) {
		k.list = append(k.list, keySums{})
	}
	s := &k.list[k.used]
	k.used++
	s.key, s.numbers = key, numbers
	s.sums = slices.Grow(s.sums[:0], int(top))[:top]
	clear(s.sums)
	return s.sums
}

// PreScore adds up, by domain, what is preferred on either side.
func (a *InterPodAffinity) PreScore(c *framework.Cycle, rows []int32) framework.Prep {
	a.preferred.used = 0
	own := c.Pod.Affinity
	if own != nil && own.Err != nil {
		return framework.Prep{Err: fmt.Errorf("failed to parse pod: %w", own.Err)}
	}
	prefers := own != nil && len(own.Preferred) > 0
	if len(rows) == 0 || a.ignorePreferred && !prefers {
		return framework.Prep{Skip: true}
	}
	if prefers {
		a.addOwn(c.View, own)
	}
	a.addExisting(c)
	return framework.Prep{Skip: a.preferred.used == 0}
}

// addOwn adds the weight of each preferred term for each pod that it selects.
func (a *InterPodAffinity) addOwn(v *cluster.View, own *podspec.Affinity) {
	for i := range own.Preferred {
		t := &own.Preferred[i]
		d := v.Domains(v.Tally(&t.Pods), t.TopologyKey, nil)
		if d.Pods() == 0 {
			continue
		}
		sums := a.preferred.of(t.TopologyKey, d.Numbers(), d.Top())
		for number, pods := range d.Sums() {
			sums[number] += t.Weight * int64(pods)
		}
	}
}

// addExisting adds what pods on nodes want of the pod.
func (a *InterPodAffinity) addExisting(c *framework.Cycle) {
	for _, t := range c.View.TermsFor(c.Pod) {
		attracts := a.attraction != 0 && !t.Attracted.Empty()
		if !attracts && t.Weight.Empty() {
			continue
		}
		sums := a.preferred.of(t.Key(), t.Numbers(), t.Top())
		t.Weight.Each(func(number int32, weight int64) { sums[number] += weight })
		if attracts {
			t.Attracted.Each(func(number int32, pods int64) { sums[number] += a.attraction * pods })
		}
	}
}

// Score adds up the sums of the row's domains.
func (a *InterPodAffinity) Score(_ *framework.Cycle, rows []int32, out []int64) error {
	for i := range a.preferred.list[:a.preferred.used] {
		s := &a.preferred.list[i]
		s.sums[cluster.Absent] = 0
		for k, row := range rows {
			out[k] += s.sums[s.numbers[row]]
		}
	}
	return nil
}

// Norm gives the largest sum 100 and the smallest 0.
func (*InterPodAffinity) Norm() framework.Norm { return framework.NormMinMax }
