package metrics

import (
	"strconv"
	"time"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// Recorder feeds the metrics of decisions. It belongs to one loop.
type Recorder struct {
	open map[uint64]placement // by attempt: placements that have not settled

	last *engine.Stats // that were published
}

// placement is a decision whose pod is on its way.
type placement struct {
	engine.Decision
	began time.Time
}

// NewRecorder returns a Recorder that has seen nothing yet.
func NewRecorder() *Recorder { return &Recorder{open: map[uint64]placement{}, last: &engine.Stats{}} }

// Decided counts a decision that took so long. Of a placement that failed later it counts
// the whole attempt.
func (r *Recorder) Decided(d engine.Decision, began time.Time, took time.Duration) {
	if p, chosen := r.open[d.Seq]; chosen {
		took = began.Add(took).Sub(p.began)
	} else if d.Verdict != engine.Skipped {
		algorithmDuration.Observe(took.Seconds())
	}
	switch d.Verdict {
	case engine.Placed:
		r.open[d.Seq] = placement{d, began}
	case engine.Unschedulable, engine.Failed:
		attempts.WithLabelValues(string(d.Verdict), d.Profile).Inc()
		attemptDuration.WithLabelValues(string(d.Verdict), d.Profile).Observe(took.Seconds())
	}
}

// Settled counts the end of a placement. One that failed has been counted as such.
func (r *Recorder) Settled(s engine.Settled, now time.Time) {
	p, known := r.open[s.Seq]
	delete(r.open, s.Seq)
	if !known || s.Result != engine.Bound {
		return
	}
	const result = "scheduled"
	took := now.Sub(p.began)
	attempts.WithLabelValues(result, p.Profile).Inc()
	attemptDuration.WithLabelValues(result, p.Profile).Observe(took.Seconds())
	podAttempts.Observe(float64(p.Attempts))
	sliDuration.WithLabelValues(attemptsLabel(p.Attempts)).Observe((p.Waited + took).Seconds())
	if p.Flushed {
		afterFlush.Inc()
	}
}

// Handled counts the events that an input was.
func (r *Recorder) Handled(events []string, took time.Duration) {
	for _, event := range events {
		eventDuration.WithLabelValues(event).Observe(took.Seconds())
	}
}

// Publish makes Stats those that scrapes read, and brings counters up to date that the
// engine keeps.
func (r *Recorder) Publish(s *engine.Stats) {
	for in, n := range s.Entries {
		added := float64(n - r.last.Entries[in])
		incomingPods.WithLabelValues(in.Place.String(), in.Event).Add(added)
		if isNews(in) {
			incomingEntities.WithLabelValues(in.Place.String(), in.Event, "pod").Add(added)
		}
	}
	for e, n := range s.Evaluations {
		evaluations.WithLabelValues(e.Plugin, e.At.String(), e.Profile).Add(float64(n - r.last.Evaluations[e]))
	}
	r.last = s
	published.Store(s)
}

// isNews reports whether an entry counts as one of an entity: kube-scheduler leaves out
// those that an attempt or a hint has decided, unless a gate changed where they went.
func isNews(in queue.Incoming) bool {
	switch in.Event {
	case "UnscheduledPodAdd", "BackoffComplete", "PopFromBackoffQ", "ForceActivate":
		return true
	case "ScheduleAttemptFailure":
		return false
	}
	return in.Place == queue.Unschedulable
}

// Close takes the last published Stats back: their scheduler has ended.
func (r *Recorder) Close() { published.CompareAndSwap(r.last, nil) }

// attemptsLabel keeps the label's values few.
func attemptsLabel(n int) string {
	if n >= 15 {
		return "15+"
	}
	return strconv.Itoa(n)
}
