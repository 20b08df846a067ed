package report

import (
	"math"

	"github.com/berth-scheduler/berth/test/bench/result"
)

// metric is a number of a run.
type metric struct {
	title   string
	unit    string // for benchstat
	ratios  bool   // whether it makes sense to divide the schedulers' by each other
	startup bool   // it is one of the start-up without pods
	of      func(r, startup result.Result) float64
}

// cpuPerPod is what the chart shows.
var cpuPerPod = metric{title: "CPU of the scheduler, ms a pod", unit: "cpu-ms/pod", ratios: true, of: CPUPerPod}

// metrics are what the page shows, in order.
var metrics = []metric{
	cpuPerPod,
	{title: "pods/s between the first bind and the last bind", unit: "pods/s", ratios: true,
		of: func(r, _ result.Result) float64 { return backlog(r, r.BoundPerSecond()) }},
	{title: "pods/s between the first bind and the last event", unit: "done-pods/s", ratios: true,
		of: func(r, _ result.Result) float64 { return backlog(r, r.DonePerSecond()) }},
	{title: "peak memory of the scheduler, MiB", unit: "MiB-rss", ratios: true,
		of: func(r, _ result.Result) float64 { return orNaN(float64(r.PeakRSS) / (1 << 20)) }},
	{title: "CPU of kube-apiserver and etcd, ms a pod", unit: "server-cpu-ms/pod",
		of: func(r, startup result.Result) float64 { return beyond(r, r.ServerCPU, startup.ServerCPU) }},
	{title: "start-up: CPU of the scheduler until it is idle, s", unit: "startup-cpu-s", startup: true,
		of: func(r, _ result.Result) float64 { return orNaN(r.CPU) }},
	{title: "start to first bind, s", unit: "first-bind-s",
		of: func(r, _ result.Result) float64 { return backlog(r, r.FirstBind) }},
	{title: "latency p50, ms", unit: "p50-ms", of: latency(func(l *result.Latency) float64 { return l.P50 })},
	{title: "latency p99, ms", unit: "p99-ms", of: latency(func(l *result.Latency) float64 { return l.P99 })},
	{title: "latency max, ms", unit: "max-ms", of: latency(func(l *result.Latency) float64 { return l.Max })},
}

// CPUPerPod returns milliseconds of CPU of the scheduler for each pod beyond those of its start-up.
func CPUPerPod(r, startup result.Result) float64 { return beyond(r, r.CPU, startup.CPU) }

// beyond returns the milliseconds a pod of what a run has spent beyond its start-up. A live run begins when that is over.
func beyond(r result.Result, spent, startup float64) float64 {
	switch {
	case r.Pods == 0:
		return math.NaN()
	case r.Rate == 0:
		spent -= startup
	}
	return spent * 1000 / float64(r.Pods)
}

// backlog is a value that means something only when all pods are there before the scheduler.
func backlog(r result.Result, value float64) float64 {
	if r.Rate > 0 {
		return math.NaN()
	}
	return orNaN(value)
}

func latency(of func(*result.Latency) float64) func(r, _ result.Result) float64 {
	return func(r, _ result.Result) float64 {
		if r.Latency == nil {
			return math.NaN()
		}
		return of(r.Latency) * 1000
	}
}

// orNaN makes no value of zero, which stands for something that was not measured.
func orNaN(value float64) float64 {
	if value == 0 {
		return math.NaN()
	}
	return value
}
