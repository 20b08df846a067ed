// Package metrics is the scheduler's metrics: one table, and what fills it.
//
// Names, labels, buckets and stability are kube-scheduler's, so that dashboards and
// alerts go on working. Counters and histograms of decisions are fed by a Recorder,
// which the scheduler's loop tells of each decision and of how it ended. Gauges of the
// queue and the cluster are read from the engine's last published Stats when somebody
// scrapes. A Probe, which the chain of a profile tells of what begins and ends, times
// extension points, and plugins in a tenth of the attempts. It costs about a
// microsecond an attempt. A HintProbe times each hint that is asked.
//
// What pods ask for has a registry of its own, as there are some series for each pod.
//
// The registry of component-base is one for the process, whoever lives in it: metrics
// are registered once, and the last scheduler that published is the one that is shown.
package metrics
