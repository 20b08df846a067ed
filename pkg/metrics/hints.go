package metrics

import (
	"math/rand/v2"
	"time"

	"github.com/berth-scheduler/berth/pkg/queue"
)

// seldom is the time between events from which each of them is timed.
const seldom = 100 * time.Millisecond

// HintProbe feeds the durations of hints: all of them while events are few, as
// kube-scheduler does, and a sample when they come in a burst. It belongs to one loop.
type HintProbe struct {
	start time.Time
	timed time.Duration // when an event was timed last
}

var _ queue.Probe = (*HintProbe)(nil)

// NewHintProbe returns a HintProbe.
func NewHintProbe() *HintProbe { return &HintProbe{start: time.Now(), timed: -seldom} }

// Begin returns the time, and chooses the sample.
func (p *HintProbe) Begin() (now time.Duration, each bool) {
	now = time.Since(p.start)
	if each = now-p.timed >= seldom || rand.Float64() < sampled; each {
		p.timed = now
	}
	return now, each
}

// Hint observes an answer.
func (p *HintProbe) Hint(a queue.Answer, since time.Duration) (now time.Duration) {
	now = time.Since(p.start)
	hintDuration.WithLabelValues(a.Plugin, a.Event, a.Hint).Observe((now - since).Seconds())
	return now
}
