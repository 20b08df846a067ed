package metrics

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-base/metrics"
	"k8s.io/component-helpers/resource"
)

// NewResources returns a registry of what pods ask for, read from pods at each scrape. It
// is apart from the other metrics, as there are some series for each pod.
func NewResources(pods func() []*corev1.Pod) metrics.KubeRegistry {
	labels := []string{"namespace", "pod", "node", "scheduler", "priority", "resource", "unit"}
	const about = " by workloads on the cluster, broken down by pod and resource. This is what scheduler and kubelet reckon with, with the unit of the resource if it has one."
	registry := metrics.NewKubeRegistry()
	registry.CustomMustRegister(&resources{
		pods:     pods,
		requests: metrics.NewDesc("kube_pod_resource_request", "Resources requested"+about, labels, nil, metrics.STABLE, ""),
		limits:   metrics.NewDesc("kube_pod_resource_limit", "Limits of resources set"+about, labels, nil, metrics.STABLE, ""),
	})
	return registry
}

// resources turns pods into metrics when somebody scrapes.
type resources struct {
	metrics.BaseStableCollector
	pods             func() []*corev1.Pod
	requests, limits *metrics.Desc
}

var _ metrics.StableCollector = (*resources)(nil)

// DescribeWithStability lists what CollectWithStability gives.
func (r *resources) DescribeWithStability(ch chan<- *metrics.Desc) {
	ch <- r.requests
	ch <- r.limits
}

// CollectWithStability sums up each pod.
func (r *resources) CollectWithStability(ch chan<- metrics.Metric) {
	for _, p := range r.pods() {
		collect(ch, r.requests, p, resource.PodRequests(p, resource.PodResourcesOptions{}))
		collect(ch, r.limits, p, resource.PodLimits(p, resource.PodResourcesOptions{}))
	}
}

func collect(ch chan<- metrics.Metric, d *metrics.Desc, p *corev1.Pod, list corev1.ResourceList) {
	priority := ""
	if p.Spec.Priority != nil {
		priority = strconv.FormatInt(int64(*p.Spec.Priority), 10)
	}
	for name, quantity := range list {
		if quantity.IsZero() {
			continue
		}
		ch <- metrics.NewLazyConstMetric(d, metrics.GaugeValue, quantity.AsApproximateFloat64(),
			p.Namespace, p.Name, p.Spec.NodeName, p.Spec.SchedulerName, priority, string(name), unitOf(name))
	}
}

// unitOf is what one of a resource is, "" where only those know who offer it.
func unitOf(name corev1.ResourceName) string {
	switch {
	case name == corev1.ResourceCPU:
		return "cores"
	case name == corev1.ResourceMemory, name == corev1.ResourceStorage, name == corev1.ResourceEphemeralStorage,
		strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix):
		return "bytes"
	case strings.HasPrefix(string(name), corev1.ResourceAttachableVolumesPrefix):
		return "integer"
	}
	return ""
}
