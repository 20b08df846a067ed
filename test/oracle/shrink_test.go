package oracle

import (
	"testing"

	"github.com/berth-scheduler/berth/test/sim"
)

// crooked is an oracle whose own side weighs taints otherwise than upstream.
func crooked(t *testing.T) *Oracle {
	t.Helper()
	o := *mustOracle(t)
	s := o.sides[""]
	s.berth = &Berth{profile: Profile{weights: map[string]int64{"TaintToleration": 2}}}
	o.sides = map[string]sides{"": s}
	return &o
}

func TestShrinkKeepsTheDifferenceAndLittleElse(t *testing.T) {
	o := crooked(t)
	for seed := range sim.Seeds(200) {
		q, _ := Draw(seed)
		if q.Profile != "" {
			continue
		}
		r, err := o.Ask(q, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Unexplained) == 0 {
			continue
		}
		want := r.Unexplained[0]
		small, got := o.Shrink(q, want, 0)
		if got.Kind != HowScored || got.Plugin != "TaintToleration" {
			t.Errorf("seed %d: %v became %v", seed, want, got)
		}
		if len(small.Nodes) != 2 || len(small.Bound)+len(small.Nominated)+len(small.Events) != 0 || len(small.Pod.Spec.Containers) != 0 {
			t.Errorf("seed %d shrinks to\n%s", seed, small)
		}
		return
	}
	t.Error("a wrong weight makes no difference")
}
