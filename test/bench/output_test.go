package main

import (
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/test/bench/result"
)

func TestProgressLineTellsWhatIsKnown(t *testing.T) {
	c := result.Case{Workload: "B1", Nodes: 100, Pods: 1000}
	good := result.Result{Cell: result.Cell{Case: c, Scheduler: "null", Run: 1}, CPU: 1.5, FirstBind: 1, LastBind: 3, PeakRSS: 7 << 20}
	startup := result.Result{Cell: result.Cell{Case: c.Startup(), Scheduler: "null", Run: 1}, CPU: 0.5}
	live := good
	live.Rate, live.Latency = 100, &result.Latency{P50: 0.0125, P99: 0.2}
	failed, void := good, good
	failed.Failed, void.Void = "it hangs", "steal"

	b := &bench{settings: &settings{}, results: []result.Result{startup}}
	f := func(r result.Result, want string) {
		t.Helper()
		if got := b.summary(r); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want it to begin with %q", got, want)
		}
	}
	f(startup, "start-up 0.50 CPU s, 0 MiB (steal 0.0 %")
	f(good, "1.000 CPU ms/pod, 500 pods/s, 7 MiB")
	f(live, "1.500 CPU ms/pod, p50 12.5 ms, p99 200.0 ms")
	f(failed, "FAILED: it hangs")
	f(void, "void: steal")
	b.results = nil
	f(good, "1.50 CPU s with the start-up, 500 pods/s")
}
