package result

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var b1 = Case{Workload: "B1", Nodes: 5000, Pods: 1000}

func TestRunsAreInterleavedToAndFro(t *testing.T) {
	var got []string
	for _, cell := range Interleave(b1, []string{"a", "b", "c"}, 3) {
		got = append(got, cell.String())
	}
	want := "B1-n5000-m1000-a-1 B1-n5000-m1000-b-1 B1-n5000-m1000-c-1 " +
		"B1-n5000-m1000-c-2 B1-n5000-m1000-b-2 B1-n5000-m1000-a-2 " +
		"B1-n5000-m1000-a-3 B1-n5000-m1000-b-3 B1-n5000-m1000-c-3"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCasesHaveNamesOfTheirOwn(t *testing.T) {
	live := Case{Workload: "B1", Nodes: 5000, Pods: 1000, Rate: 12.5}
	if got, want := live.String(), "B1-n5000-m1000-live12.5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := live.Startup().String(), "B1-n5000-m0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestResultsAreKept(t *testing.T) {
	s := Store{Dir: t.TempDir() + "/deep/key"}
	want := Result{
		Cell: Cell{Case: b1, Scheduler: "null", Run: 1}, Time: time.Unix(1700000000, 0).UTC(),
		CPU: 1.25, PeakRSS: 1 << 20, Latency: &Latency{P50: 0.5, P99: 1, Max: 2}, Void: "steal",
	}
	if _, found, err := s.Load(want.Cell); found || err != nil {
		t.Errorf("got a result (%v), %v before there is one", found, err)
	}
	if err := s.Save(want); err != nil {
		t.Fatal(err)
	}
	got, found, err := s.Load(want.Cell)
	if !found || err != nil {
		t.Fatalf("got found %v, %v", found, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := os.WriteFile(s.path(want.Cell), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Load(want.Cell); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("got %v for half a file, want an error that tells what to do", err)
	}
}

func TestThroughputIsFromTheFirstBind(t *testing.T) {
	r := Result{Cell: Cell{Case: b1}, FirstBind: 2, LastBind: 4, Done: 6}
	if bound, done := r.BoundPerSecond(), r.DonePerSecond(); bound != 500 || done != 250 {
		t.Errorf("got %v pods/s bound and %v done, want 500 and 250", bound, done)
	}
	if got := (Result{Cell: Cell{Case: b1}}).BoundPerSecond(); got != 0 {
		t.Errorf("got %v pods/s without binds, want 0", got)
	}
}

func TestMedianAndSpread(t *testing.T) {
	f := func(median, spread float64, values ...float64) {
		t.Helper()
		if got := Median(values); got != median {
			t.Errorf("%v: got median %v, want %v", values, got, median)
		}
		if got := Spread(values); math.Abs(got-spread) > 1e-9 {
			t.Errorf("%v: got spread %v, want %v", values, got, spread)
		}
	}
	f(7, 0, 7)
	f(2, 0.5, 3, 1)
	f(4, 1.125, 1, 10, 4)
	f(2.5, 0.6, 4, 1, 2, 3)
	if !math.IsNaN(Median(nil)) || !math.IsNaN(Spread(nil)) {
		t.Error("nothing has no median and no spread")
	}
}

func TestLatencyIsAValueThatOccurred(t *testing.T) {
	var all []time.Duration
	for i := range 200 {
		all = append(all, time.Duration(200-i)*time.Millisecond)
	}
	if diff := cmp.Diff(&Latency{P50: 0.1, P99: 0.198, Max: 0.2}, LatencyOf(all)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(&Latency{P50: 1, P99: 1, Max: 1}, LatencyOf([]time.Duration{time.Second})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if LatencyOf(nil) != nil {
		t.Error("no pods have no latency")
	}
}
