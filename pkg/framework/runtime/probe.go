package runtime

import (
	"time"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// Probe measures how long the parts of attempts take. It reads the clock, which a chain
// must not: the chain tells it when something has begun and when it is over.
type Probe interface {
	// Begin returns the time, and whether the plugins of what begins are timed one by
	// one. That is for a sample: to read the clock costs as much as a cheap plugin.
	Begin() (now time.Duration, each bool)
	// Point is told that an extension point has run since then. It returns the time.
	Point(at config.Point, code fwk.Code, since time.Duration) (now time.Duration)
	// Plugin is told the same of one plugin.
	Plugin(name string, at config.Point, code fwk.Code, since time.Duration) (now time.Duration)
	// Span is told how long something took that goes on while other attempts are made: a
	// wait that a Permit plugin wished for, or a Bind.
	Span(at config.Point, code fwk.Code, took time.Duration)
}

// Normalize is a part of scoring that is timed and that no configuration names.
const Normalize = config.Points

// Measure makes the chain tell a probe what it does. With nil nothing is measured.
func (ch *Chain) Measure(p Probe) { ch.probe = p }

// Span passes on what the engine has measured.
func (ch *Chain) Span(at config.Point, code fwk.Code, took time.Duration) {
	if ch.probe != nil {
		ch.probe.Span(at, code, took)
	}
}

// Evaluations tells how often each plugin was asked at a point. A Filter or Scorer is
// asked once for each row; how often a Filter was is known with a probe only.
func (ch *Chain) Evaluations(yield func(plugin string, at config.Point, times uint64)) {
	for i := range ch.steps {
		s := &ch.steps[i]
		if s.pre != nil {
			yield(s.name, config.PreFilter, s.prepared)
		}
		if s.filter != nil {
			yield(s.name, config.Filter, s.narrowed)
		}
	}
	for i := range ch.scorers {
		s := &ch.scorers[i]
		if s.pre != nil {
			yield(s.name, config.PreScore, s.prepared)
		}
		yield(s.name, config.Score, s.scored)
	}
}

// begin starts a measure. Without a probe it is 0, as are all that follow from it.
func (ch *Chain) begin() (since time.Duration) {
	if ch.probe != nil {
		since, ch.each = ch.probe.Begin()
	}
	return since
}

// ran ends the measure of an extension point, and starts the next.
func (ch *Chain) ran(at config.Point, code fwk.Code, since time.Duration) time.Duration {
	if ch.probe == nil {
		return 0
	}
	return ch.probe.Point(at, code, since)
}

// call starts the measure of one plugin, if plugins are measured.
func (ch *Chain) call() (since time.Duration) {
	if ch.each {
		since, _ = ch.probe.Begin()
	}
	return since
}

// called ends it, and starts the next.
func (ch *Chain) called(name string, at config.Point, code fwk.Code, since time.Duration) time.Duration {
	if !ch.each {
		return 0
	}
	return ch.probe.Plugin(name, at, code, since)
}

// outcome is how a part without verdict of its own ended.
func outcome(err error) fwk.Code {
	if err != nil {
		return fwk.Error
	}
	return fwk.Success
}

// outcomeOf is how a plugin's preparation ended.
func outcomeOf(p *framework.Prep) fwk.Code {
	switch {
	case p.Err != nil:
		return fwk.Error
	case p.Reject != nil:
		return p.Reject.Code
	case p.Skip:
		return fwk.Skip
	}
	return fwk.Success
}

// outcomeOfPostFilter is whether a plugin has made room.
func outcomeOfPostFilter(r *framework.PostFilterResult) fwk.Code {
	switch {
	case r.Err != nil:
		return fwk.Error
	case r.Nominate != nil && *r.Nominate != "":
		return fwk.Success
	}
	return fwk.Unschedulable
}

// outcomeOfPrepare is how PreFilter as a whole ended.
func (ch *Chain) outcomeOfPrepare(err error) fwk.Code {
	if err == nil && ch.refusal != nil {
		return ch.refusal.Code
	}
	return outcome(err)
}
