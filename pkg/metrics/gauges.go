package metrics

import (
	"sync/atomic"

	"k8s.io/component-base/metrics"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// published is the last Stats of the last scheduler.
var published atomic.Pointer[engine.Stats]

// Publish makes a scheduler's Stats those that scrapes read.
func Publish(s *engine.Stats) { published.Store(s) }

// gauges turns Stats into metrics when somebody scrapes.
type gauges struct{ metrics.BaseStableCollector }

var _ metrics.StableCollector = (*gauges)(nil)

// DescribeWithStability lists what CollectWithStability gives.
func (*gauges) DescribeWithStability(ch chan<- *metrics.Desc) {
	for _, d := range []*metrics.Desc{
		incomingPods, incomingEntities, pendingPods, queuedEntities, unschedulablePods, inflightEvents, cacheSize, goroutines,
	} {
		ch <- d
	}
}

// CollectWithStability reads the published Stats.
func (*gauges) CollectWithStability(ch chan<- metrics.Metric) {
	s := published.Load()
	if s == nil {
		return
	}
	for _, place := range []queue.Place{queue.Active, queue.Backoff, queue.Unschedulable, queue.Gated} {
		ch <- gauge(pendingPods, s.Pending[place], place.String())
		ch <- gauge(queuedEntities, s.Pending[place], place.String(), "pod")
	}
	for in, n := range s.Entries {
		ch <- metrics.NewLazyConstMetric(incomingPods, metrics.CounterValue, float64(n), in.Place.String(), in.Event)
		ch <- metrics.NewLazyConstMetric(incomingEntities, metrics.CounterValue, float64(n), in.Place.String(), in.Event, "pod")
	}
	for who, n := range s.Waiting {
		ch <- gauge(unschedulablePods, n, who.Plugin, who.Profile)
	}
	ch <- gauge(inflightEvents, s.InFlight, "PodPopped")
	ch <- gauge(cacheSize, s.Nodes, "nodes")
	ch <- gauge(cacheSize, s.Pods, "pods")
	ch <- gauge(cacheSize, s.Assumed, "assumed_pods")
	ch <- gauge(goroutines, s.Binding, "binding")
}

func gauge(d *metrics.Desc, value int, labels ...string) metrics.Metric {
	return metrics.NewLazyConstMetric(d, metrics.GaugeValue, float64(value), labels...)
}
