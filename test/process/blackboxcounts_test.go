package process

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// fenceEvents are what the changes of a fence are called.
var fenceEvents = []string{"NodeUpdateNodeCondition", "AssignedPodUpdate"}

// counts are how many pods came to a queue, by event and queue.
type counts map[string]float64

// String is a line for each counter.
func (c counts) String() string {
	var b strings.Builder
	for _, key := range sorted(c) {
		fmt.Fprintf(&b, "%s +%v\n", key, c[key])
	}
	return b.String()
}

// woken is how many were to be tried.
func (c counts) woken() (n float64) {
	for key := range c {
		if strings.HasSuffix(key, " "+woken) {
			n += c[key]
		}
	}
	return n
}

const (
	woken     = "woken"
	gatedCame = "UnscheduledPodAdd unschedulable"
)

// tally is what one look at the metrics says.
type tally struct {
	moved    counts
	handled  map[string]float64 // of fenceEvents
	pending  float64            // pods that are to be tried
	attempts float64
	fences   int // of the stage at that time
	gated    int
}

// since is who moved, but for the pods of fences.
func (t tally) since(before tally) counts {
	delta := counts{}
	for key, n := range t.moved {
		n -= before.moved[key]
		if key == gatedCame {
			n -= float64(t.fences - before.fences)
		}
		if n != 0 {
			delta[key] = n
		}
	}
	return delta
}

// page reads the program's metrics.
func (l *live) page() (controlplane.Metrics, error) {
	a, err := l.get(request{path: "/metrics", user: controlplane.Admin})
	if err != nil {
		return nil, err
	}
	return controlplane.ParseMetrics(strings.NewReader(a.body))
}

func (l *live) tally() (tally, error) {
	m, err := l.page()
	if err != nil {
		return tally{}, err
	}
	t := tally{moved: movedBy(m), handled: map[string]float64{}}
	for _, event := range fenceEvents {
		t.handled[event], _ = m.Sum("scheduler_event_handling_duration_seconds", "event", event)
	}
	active, _ := m.Sum("scheduler_pending_pods", "queue", "active")
	backoff, _ := m.Sum("scheduler_pending_pods", "queue", "backoff")
	t.attempts, _ = m.Sum("scheduler_schedule_attempts_total")
	t.pending = active + backoff
	return t, nil
}

// movedBy reads who came to which queue. A pod that is woken goes to active or backoff,
// depending on how long ago it was tried, and how it gets from there to active does too:
// both are one here, "woken".
func movedBy(m controlplane.Metrics) counts {
	c := counts{}
	for _, sample := range m["scheduler_queue_incoming_pods_total"].GetMetric() {
		labels := map[string]string{}
		for _, l := range sample.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		event, queue := labels["event"], labels["queue"]
		if event == "BackoffComplete" || event == "PopFromBackoffQ" {
			continue
		}
		if queue == "active" || queue == "backoff" {
			queue = woken
		}
		c[event+" "+queue] += sample.GetCounter().GetValue()
	}
	return c
}

// isClear says whether the program knows of no node and no pod any more.
func (l *live) isClear() error {
	m, err := l.page()
	if err != nil {
		return err
	}
	nodes, _ := m.Sum("scheduler_cache_size", "type", "nodes")
	pods, _ := m.Sum("scheduler_cache_size", "type", "pods")
	pending, _ := m.Sum("scheduler_pending_pods")
	if nodes+pods+pending > 0 {
		return fmt.Errorf("%v nodes and %v pods in the cache, %v pods pending", nodes, pods, pending)
	}
	return nil
}

// sorted is the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
