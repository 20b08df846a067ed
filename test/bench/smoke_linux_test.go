package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/test/bench/result"
)

func TestSmallSeriesOnARealControlPlane(t *testing.T) {
	s := &settings{
		mode: "smoke", out: t.TempDir(), schedulers: []string{"null", "berth"}, runs: 1,
		cases: []result.Case{{Workload: "B1", Nodes: 100, Pods: 50}},
	}
	b, err := newBench(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.measureAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(b.results) != 2 {
		t.Fatalf("got %d results, want one of each scheduler", len(b.results))
	}
	for _, r := range b.results {
		if !r.Good() || r.CPU <= 0 || r.ServerCPU <= 0 || r.PeakRSS < 1<<20 || r.BoundPerSecond() <= 0 || r.Window < 2 {
			t.Errorf("got %+v, want a good run with all numbers", r)
		}
	}
	if err := b.report(); err != nil {
		t.Error(err)
	}
	page, err := os.ReadFile(filepath.Join(s.out, "smoke.md"))
	if err != nil || !strings.Contains(string(page), "| B1       | 100   | 50   | 1    |") {
		t.Errorf("got a page (%v) without a row of the case:\n%s", err, page)
	}

	b.programs = &programs{} // so that a second look at the files is all that can work
	if err := b.measureAll(t.Context()); err != nil || len(b.results) != 4 {
		t.Errorf("got %d results, %v of a series that goes on, want the same two again", len(b.results), err)
	}
}
