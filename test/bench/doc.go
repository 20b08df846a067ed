// Package main is `make bench`: it measures Berth next to upstream's kube-scheduler and next to a null scheduler,
// each through a real kube-apiserver and etcd.
//
//	prepare   nodes and pods are created once for a workload and size, and etcd's folder is kept
//	run       a fresh control plane on a copy of that folder, then one scheduler as a process, until quiescence
//	judge     package endstate looks at what the API server holds: a run that is wrong has no numbers
//	keep      package result writes one file for each run to _out/bench/<mode>-<key>
//	report    package report makes a page, lines for benchstat and a chart
//
// The schedulers take turns, A B C C B A. The key stands for their programs and the workloads, so a series that was
// interrupted goes on, and a changed program begins a new one.
//
// What is counted. In a backlog run all pods are there before the scheduler starts. Its CPU time is read from /proc
// at quiescence: all pods bound, as many Scheduled events, and less than 1 % of a CPU used for 2 s. Stopping at the
// last bind would flatter whoever puts work off. The start-up, which is the same run without pods, is subtracted;
// so it is from the CPU time of kube-apiserver and etcd. In a live run pods are created at a given rate, whatever
// the scheduler does, and the latency of each counts from the time at which its creation was due.
//
// Throughput counts from the first bind, once to the last bind and once to the last event: a scheduler that puts its
// events off until the binds are through looks faster than it is in the first.
//
// The driver takes CPU from the same machine. It watches the metadata of pods that have a node, one event a pod, and
// counts events only when all pods are bound. All numbers come from /proc, so it needs Linux.
//
// Noise is read around each run: steal and foreign processes from /proc/stat, and a fixed piece of work before and
// after. A strict series (-mode full) runs a cell again, once, when steal is above 2 % or that work takes 3 % more
// or less, and gives it no number when the second run is no better. Others only tell.
package main
