package metrics

import (
	"math/rand/v2"
	"time"

	"k8s.io/component-base/metrics"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// sampled is the share of what begins whose plugins are timed one by one.
const sampled = 0.1

// Probe feeds the durations of extension points and plugins of one profile. It belongs to
// one loop.
type Probe struct {
	profile string
	start   time.Time

	points [config.Points][codes]metrics.ObserverMetric // found lately, as finding costs more than observing
	found  time.Duration                                // when the oldest of them was
}

// codes is how many status codes there are.
const codes = fwk.Pending + 1

var _ runtime.Probe = (*Probe)(nil)

// NewProbe returns a probe for a profile.
func NewProbe(profile string) *Probe {
	return &Probe{profile: profile, start: time.Now()}
}

// Begin returns the time, and chooses the sample.
func (p *Probe) Begin() (now time.Duration, each bool) {
	return time.Since(p.start), rand.Float64() < sampled
}

// Point observes the run of an extension point.
func (p *Probe) Point(at config.Point, code fwk.Code, since time.Duration) (now time.Duration) {
	now = time.Since(p.start)
	p.observe(now, at, code, now-since)
	return now
}

// Plugin observes the call of a plugin.
func (p *Probe) Plugin(name string, at config.Point, code fwk.Code, since time.Duration) (now time.Duration) {
	now = time.Since(p.start)
	pluginDuration.WithLabelValues(name, pointName(at), code.String()).Observe((now - since).Seconds())
	return now
}

// Span observes a wait on Permit, or a Bind.
func (p *Probe) Span(at config.Point, code fwk.Code, took time.Duration) {
	if at == config.Permit {
		permitWait.WithLabelValues(code.String()).Observe(took.Seconds())
		return
	}
	p.observe(time.Since(p.start), at, code, took)
}

// observe keeps what it found for a second: a reset of all metrics may have replaced it.
func (p *Probe) observe(now time.Duration, at config.Point, code fwk.Code, took time.Duration) {
	if now-p.found > time.Second {
		clear(p.points[:])
		p.found = now
	}
	m := &p.points[at][code]
	if *m == nil {
		*m = pointDuration.WithLabelValues(pointName(at), code.String(), p.profile)
	}
	(*m).Observe(took.Seconds())
}

func pointName(at config.Point) string {
	if at == runtime.Normalize {
		return "ScoreExtensionNormalize"
	}
	return at.String()
}
