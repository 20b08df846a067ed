package report

import (
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/bench/result"
)

var update = flag.Bool("update", false, "rewrite testdata")

var (
	plain = result.Case{Workload: "B1", Nodes: 5000, Pods: 1000}
	ports = result.Case{Workload: "HP", Nodes: 1000, Pods: 200}
	live  = result.Case{Workload: "B1", Nodes: 5000, Pods: 500, Rate: 100}
)

// run is a good run; the CPU time of the servers is three times the scheduler's.
func run(c result.Case, scheduler string, number int, cpu, first, last float64) result.Result {
	return result.Result{
		Cell: result.Cell{Case: c, Scheduler: scheduler, Run: number},
		CPU:  cpu, ServerCPU: 3 * cpu, FirstBind: first, LastBind: last, Done: last + 2, PeakRSS: int64(cpu * 50 * (1 << 20)),
		Noise: result.Noise{Steal: 0.5, Foreign: float64(number), Drift: 1},
	}
}

func sample() *Data {
	start := plain.Startup()
	failed := run(ports, "berth", 2, 9, 1, 2)
	failed.Failed = "the end state is wrong: pod default/p1 has no node"
	noisy := run(ports, "null", 2, 9, 1, 2)
	noisy.Void = "steal 7.0 %"
	quick := run(live, "berth", 1, 1, 0, 5)
	quick.Latency = &result.Latency{P50: 0.006, P99: 0.0751, Max: 0.2}
	return &Data{
		Title:      "A sample",
		About:      []string{"2 CPUs"},
		Cases:      []result.Case{plain, ports, live},
		Schedulers: []string{"null", "upstream", "berth"},
		NotBuilt:   []string{"TS needs PodTopologySpread"},
		Results: []result.Result{
			run(start, "null", 1, 1, 0, 0), run(start, "upstream", 1, 1.5, 0, 0), run(start, "berth", 1, 0.8, 0, 0),
			run(plain, "null", 1, 1.4, 1, 3), run(plain, "null", 2, 1.6, 1, 3),
			run(plain, "upstream", 1, 5, 1.5, 5.5), run(plain, "upstream", 2, 5.2, 1.5, 5.5),
			run(plain, "berth", 1, 1.3, 0.9, 2.9), run(plain, "berth", 2, 1.3, 0.9, 2.9),
			run(ports.Startup(), "null", 1, 0.2, 0, 0), run(ports, "null", 1, 0.3, 0.5, 1), noisy, failed, quick,
		},
	}
}

// expect compares with a file, or rewrites it.
func expect(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", file, diff)
	}
}

func TestPage(t *testing.T) { expect(t, "page.md", Markdown(sample())) }

func TestBenchLines(t *testing.T) {
	lines := strings.SplitAfterN(BenchLines(sample()), "\n", 3) // the first two name the platform
	expect(t, "lines.txt", lines[2])
}

func TestChart(t *testing.T) {
	chart := Chart(sample())
	expect(t, "chart.svg", chart)
	decoder := xml.NewDecoder(strings.NewReader(chart))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the chart is no XML: %v", err)
		}
	}
}

func TestNothingMeasuredIsAPageAllTheSame(t *testing.T) {
	empty := &Data{Title: "Nothing"}
	if got, want := Markdown(empty), "# Nothing\n\n- noise: no runs\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Chart(empty); !strings.HasPrefix(got, "<svg") {
		t.Errorf("got %q, want an empty chart", got)
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	f := func(value float64, want string) {
		t.Helper()
		if got := number(value); got != want {
			t.Errorf("%v: got %s, want %s", value, got, want)
		}
	}
	f(1234.5, "1234")
	f(99.96, "100.0")
	f(12.34, "12.3")
	f(1.234, "1.23")
	f(0.01234, "0.012")
	f(-2, "-2.00")
	f(math.NaN(), "-")
	f(math.Inf(1), "-")
}
