package engine

import (
	"testing"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// A standby takes inputs while another scheduler works. Nothing may be written for it.
func TestEngineThatIsNotAskedToDecideWantsNothing(t *testing.T) {
	for seed := range uint64(50) {
		w, e := newWorld(seed), newEngine(t)
		for range 400 {
			in := w.turn()
			if in == (Decide{}) { // somebody else's
				if len(w.pods) > 0 {
					w.bind(Bind{Pod: podspec.RefOf(w.pods[w.chance.IntN(len(w.pods))]), Node: w.nodes[0].Name})
				}
				continue
			}
			if out := e.Step(w.now, in); len(out.Effects)+len(out.Decisions)+len(out.Settled) > 0 {
				t.Fatalf("seed %d: %T brings %+v, want nothing", seed, in, out)
			}
		}
	}
}
