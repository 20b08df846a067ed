package metrics

import (
	"errors"
	"time"

	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// HintProbe feeds the durations of hints. It belongs to one loop.
type HintProbe struct{ start time.Time }

var _ queue.Probe = (*HintProbe)(nil)

// NewHintProbe returns a HintProbe.
func NewHintProbe() *HintProbe { return &HintProbe{start: time.Now()} }

// Begin returns the time.
func (p *HintProbe) Begin() time.Duration { return time.Since(p.start) }

// Hint observes an answer, and logs why there is none.
func (p *HintProbe) Hint(a queue.Answer, since time.Duration) (now time.Duration) {
	now = time.Since(p.start)
	hintDuration.WithLabelValues(a.Plugin, a.Event, a.Hint).Observe((now - since).Seconds())
	if a.Err == nil {
		return now
	}
	klog.ErrorS(a.Err, "QueueingHintFn returns error", "event", a.Event, "plugin", a.Plugin, "pod", klog.KRef(a.Pod.Namespace, a.Pod.Name))
	var panicked *framework.PanicError
	if errors.As(a.Err, &panicked) {
		klog.ErrorS(nil, "A plugin panicked", "plugin", a.Plugin, "stack", string(panicked.Stack))
	}
	return p.Begin() // the next is not to be charged with it
}
