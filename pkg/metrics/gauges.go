package metrics

import (
	"sync/atomic"

	"k8s.io/component-base/metrics"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// published is the last Stats of the last scheduler.
var published atomic.Pointer[engine.Stats]

// gauges turns Stats into metrics when somebody scrapes.
type gauges struct{ metrics.BaseStableCollector }

var _ metrics.StableCollector = (*gauges)(nil)

// DescribeWithStability lists what CollectWithStability gives.
func (*gauges) DescribeWithStability(ch chan<- *metrics.Desc) {
	for _, d := range []*metrics.Desc{
		pendingPods, queuedEntities, unschedulablePods, inflightEvents, cacheSize, goroutines,
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
	for _, place := range []string{"incomplete", "pending"} { // where only pod groups wait
		ch <- gauge(pendingPods, 0, place)
	}
	for who, n := range s.Waiting {
		ch <- gauge(unschedulablePods, n, who.Plugin, who.Profile)
	}
	ch <- gauge(inflightEvents, s.InFlight, "PodPopped")
	for event, n := range s.Missable {
		ch <- gauge(inflightEvents, n, event)
	}
	ch <- gauge(cacheSize, s.Nodes, "nodes")
	ch <- gauge(cacheSize, s.Pods, "pods")
	ch <- gauge(cacheSize, s.Assumed, "assumed_pods")
	ch <- gauge(goroutines, s.Binding, "binding")
}

func gauge(d *metrics.Desc, value int, labels ...string) metrics.Metric {
	return metrics.NewLazyConstMetric(d, metrics.GaugeValue, float64(value), labels...)
}
