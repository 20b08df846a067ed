package metrics

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/berth-scheduler/berth/pkg/queue"
)

// Each event is timed while they are few, and about one in ten of a burst.
func TestRareEventsAreAllTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewHintProbe()
		for range 5 {
			if _, each := p.Begin(); !each {
				t.Error("an event that came alone is not timed")
			}
			time.Sleep(seldom) // of the bubble
		}
		const burst = 10000
		timed := 0
		for range burst { // of one moment, in the bubble
			if _, each := p.Begin(); each {
				timed++
			}
		}
		if timed < burst/20 || timed > burst/5 {
			t.Errorf("%d of %d are timed, want about a tenth", timed, burst)
		}
		now, _ := p.Begin()
		if then := p.Hint(queue.Answer{Plugin: "Fit", Event: "NodeAdd", Hint: "Queue"}, now); then != now {
			t.Errorf("Hint returns %v, want %v", then, now)
		}
	})
}
