package metrics

import (
	"strings"
	"testing"
	"time"

	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// gathered returns the scheduler's samples as name{labels} value, histograms as count.
func gathered(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "scheduler_") {
			continue
		}
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			key := strings.TrimPrefix(f.GetName(), "scheduler_") + "{" + strings.Join(labels, ",") + "}"
			switch {
			case m.Counter != nil:
				got[key] = m.Counter.GetValue()
			case m.Gauge != nil:
				got[key] = m.Gauge.GetValue()
			case m.Histogram != nil:
				got[key] = float64(m.Histogram.GetSampleCount())
			}
		}
	}
	return got
}

func TestMetricsTellWhatHappened(t *testing.T) {
	Register()
	Register() // a second scheduler in the process
	legacyregistry.Reset()
	before := gathered(t) // what has no labels is not reset
	r, now := NewRecorder(), time.Unix(100, 0)
	defer r.Close()
	r.Decided(engine.Decision{Seq: 1, Profile: "p", Verdict: engine.Unschedulable}, now, time.Millisecond)
	r.Decided(engine.Decision{Seq: 2, Profile: "p", Verdict: engine.Placed, Attempts: 20, Flushed: true}, now, time.Millisecond)
	r.Settled(engine.Settled{Seq: 2, Result: engine.Bound}, now.Add(time.Second))
	r.Decided(engine.Decision{Seq: 3, Profile: "p", Verdict: engine.Placed}, now, time.Millisecond)
	r.Decided(engine.Decision{Seq: 3, Profile: "p", Verdict: engine.Failed}, now, time.Millisecond)
	r.Settled(engine.Settled{Seq: 3, Result: engine.Refused}, now)
	r.Decided(engine.Decision{Seq: 4, Verdict: engine.Skipped}, now, time.Millisecond)
	r.Handled([]string{"NodeAdd"}, time.Millisecond)
	r.Publish(&engine.Stats{
		Pending: map[queue.Place]int{queue.Gated: 2},
		Entries: map[queue.Incoming]uint64{
			{Place: queue.Active, Event: "UnscheduledPodAdd"}:             5,
			{Place: queue.Unschedulable, Event: "ScheduleAttemptFailure"}: 2,
			{Place: queue.Backoff, Event: "NodeAdd"}:                      1,
		},
		Waiting: map[queue.Waiting]int{{Plugin: "NodeName", Profile: "p"}: 3},
		Nodes:   7, Pods: 8, Assumed: 1, InFlight: 1, Missable: map[string]int{"NodeAdd": 2}, Binding: 4,
	})
	want := map[string]float64{
		"schedule_attempts_total{profile=p,result=unschedulable}":                      1,
		"schedule_attempts_total{profile=p,result=scheduled}":                          1,
		"schedule_attempts_total{profile=p,result=error}":                              1,
		"scheduling_attempt_duration_seconds{profile=p,result=unschedulable}":          1,
		"scheduling_attempt_duration_seconds{profile=p,result=scheduled}":              1,
		"scheduling_attempt_duration_seconds{profile=p,result=error}":                  1,
		"scheduling_algorithm_duration_seconds{}":                                      3,
		"pod_scheduling_sli_duration_seconds{attempts=15+}":                            1,
		"pod_scheduling_attempts{}":                                                    1,
		"pod_scheduled_after_flush_total{}":                                            1,
		"event_handling_duration_seconds{event=NodeAdd}":                               1,
		"queue_incoming_pods_total{event=UnscheduledPodAdd,queue=active}":              5,
		"queue_incoming_pods_total{event=ScheduleAttemptFailure,queue=unschedulable}":  2,
		"queue_incoming_pods_total{event=NodeAdd,queue=backoff}":                       1,
		"queue_incoming_entities_total{event=UnscheduledPodAdd,queue=active,type=pod}": 5,
		"pending_pods{queue=active}":                                                   0, "pending_pods{queue=backoff}": 0, "pending_pods{queue=unschedulable}": 0, "pending_pods{queue=gated}": 2,
		"pending_pods{queue=incomplete}": 0, "pending_pods{queue=pending}": 0,
		"queued_entities{queue=active,type=pod}": 0, "queued_entities{queue=backoff,type=pod}": 0,
		"queued_entities{queue=unschedulable,type=pod}": 0, "queued_entities{queue=gated,type=pod}": 2,
		"unschedulable_pods{plugin=NodeName,profile=p}": 3,
		"inflight_events{event=PodPopped}":              1, "inflight_events{event=NodeAdd}": 2,
		"cache_size{type=nodes}": 7, "cache_size{type=pods}": 8, "cache_size{type=assumed_pods}": 1,
		"goroutines{operation=binding}": 4,
	}
	got := gathered(t)
	for key, value := range before {
		got[key] -= value
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}
