package metrics

import (
	"errors"
	"sync"

	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
)

const subsystem = "scheduler"

var (
	attempts = counter("schedule_attempts_total", metrics.STABLE, []string{"result", "profile"},
		"Attempts to schedule pods, by result. unschedulable means that no node could take the pod, error that something went wrong.")
	attemptDuration = histogram("scheduling_attempt_duration_seconds", metrics.STABLE, []string{"result", "profile"}, metrics.ExponentialBuckets(0.001, 2, 15),
		"How long attempts took, binding included. A rise with steady algorithm time means a slow API server.")
	algorithmDuration = plainHistogram("scheduling_algorithm_duration_seconds", metrics.BETA, metrics.ExponentialBuckets(0.001, 2, 15),
		"How long it took to decide. A rise means larger clusters or dearer rules.")
	sliDuration = histogram("pod_scheduling_sli_duration_seconds", metrics.BETA, []string{"attempts"}, metrics.ExponentialBuckets(0.01, 2, 20),
		"From when a pod could first be tried until it was bound, gated time left out.")
	podAttempts = plainHistogram("pod_scheduling_attempts", metrics.STABLE, metrics.ExponentialBuckets(1, 2, 5),
		"How many attempts it took until a pod was bound.")
	afterFlush = plainCounter("pod_scheduled_after_flush_total", metrics.ALPHA,
		"Pods that were bound after nothing but time had woken them. Any rise means that an event was missed.")
	eventDuration = histogram("event_handling_duration_seconds", metrics.ALPHA, []string{"event"}, metrics.ExponentialBuckets(0.0001, 2, 12),
		"How long it took to take in one event of the cluster.")

	pointDuration = histogram("framework_extension_point_duration_seconds", metrics.STABLE, []string{"extension_point", "status", "profile"}, metrics.ExponentialBuckets(0.0001, 2, 12),
		"How long all plugins of an extension point took together. A rise of Bind means a slow API server.")
	pluginDuration = histogram("plugin_execution_duration_seconds", metrics.BETA, []string{"plugin", "extension_point", "status"}, metrics.ExponentialBuckets(0.00001, 1.5, 20),
		"How long one plugin took at an extension point, for all nodes together, in a sample of the attempts.")
	hintDuration = histogram("queueing_hint_execution_duration_seconds", metrics.ALPHA, []string{"plugin", "event", "hint"}, metrics.ExponentialBuckets(0.00001, 1.5, 20),
		"How long a plugin took to tell whether an event helps pods that it has refused, for all pods of a kind together.")
	permitWait = histogram("permit_wait_duration_seconds", metrics.BETA, []string{"result"}, metrics.ExponentialBuckets(0.001, 2, 15),
		"How long pods waited for plugins that held them between choice and binding.")

	// Those below are brought up to date when Stats are published.

	evaluations = counter("plugin_evaluation_total", metrics.BETA, []string{"plugin", "extension_point", "profile"},
		"How often a plugin was asked: once for each pod, or once for each of its nodes (Filter, Score).")
	incomingPods = counter("queue_incoming_pods_total", metrics.STABLE, []string{"queue", "event"},
		"Pods that entered a queue, by what brought them there.")
	incomingEntities = counter("queue_incoming_entities_total", metrics.ALPHA, []string{"queue", "event", "type"},
		"Entities that entered a queue, by what brought them there.")

	// Those below are read from the last published Stats at each scrape.

	pendingPods = desc("pending_pods", metrics.STABLE, []string{"queue"},
		"Pods that wait: ready to be tried (active), for their backoff, for an event (unschedulable), or for a gate.")
	queuedEntities = desc("queued_entities", metrics.ALPHA, []string{"queue", "type"},
		"Entities that wait, by where.")
	unschedulablePods = desc("unschedulable_pods", metrics.BETA, []string{"plugin", "profile"},
		"Pods that a plugin keeps waiting.")
	inflightEvents = desc("inflight_events", metrics.ALPHA, []string{"event"},
		"Pods that are being decided on (PodPopped), and events that are kept for them.")
	cacheSize = desc("cache_size", metrics.ALPHA, []string{"type"},
		"Nodes, pods on nodes, and pods assumed to be on one.")
	goroutines = desc("goroutines", metrics.BETA, []string{"operation"},
		"Work that is under way, by its kind.")
)

// table is the metrics that register themselves by being made above.
var table []metrics.Registerable

func counter(name string, level metrics.StabilityLevel, labels []string, help string) *metrics.CounterVec {
	c := metrics.NewCounterVec(&metrics.CounterOpts{Subsystem: subsystem, Name: name, Help: help, StabilityLevel: level}, labels)
	table = append(table, c)
	return c
}

func histogram(name string, level metrics.StabilityLevel, labels []string, buckets []float64, help string) *metrics.HistogramVec {
	h := metrics.NewHistogramVec(&metrics.HistogramOpts{Subsystem: subsystem, Name: name, Help: help, StabilityLevel: level, Buckets: buckets}, labels)
	table = append(table, h)
	return h
}

// The plain ones have no labels, so they show from the start.

func plainCounter(name string, level metrics.StabilityLevel, help string) *metrics.Counter {
	c := metrics.NewCounter(&metrics.CounterOpts{Subsystem: subsystem, Name: name, Help: help, StabilityLevel: level})
	table = append(table, c)
	return c
}

func plainHistogram(name string, level metrics.StabilityLevel, buckets []float64, help string) *metrics.Histogram {
	h := metrics.NewHistogram(&metrics.HistogramOpts{Subsystem: subsystem, Name: name, Help: help, StabilityLevel: level, Buckets: buckets})
	table = append(table, h)
	return h
}

func desc(name string, level metrics.StabilityLevel, labels []string, help string) *metrics.Desc {
	return metrics.NewDesc(subsystem+"_"+name, help, labels, nil, level, "")
}

var once sync.Once

// Register puts the metrics into the process's registry, once. One whose name another
// component has registered there is not shown.
func Register() {
	once.Do(func() {
		var taken []error
		for _, m := range table {
			taken = append(taken, legacyregistry.Register(m))
		}
		taken = append(taken, legacyregistry.CustomRegister(&gauges{}))
		if err := errors.Join(taken...); err != nil {
			klog.InfoS("Another component of this process has metrics of the same names; ours are not shown", "err", err.Error())
		}
	})
}
