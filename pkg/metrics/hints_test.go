package metrics

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/berth-scheduler/berth/pkg/queue"
)

func TestHintsAreTimedOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewHintProbe()
		began := p.Begin()
		time.Sleep(time.Second) // of the bubble
		if next := p.Hint(queue.Answer{Plugin: "Fit", Event: "NodeAdd", Hint: "Queue"}, began); next != began+time.Second {
			t.Errorf("the next hint begins at %v, want %v", next, began+time.Second)
		}
	})
}
