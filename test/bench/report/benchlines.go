package report

import (
	"fmt"
	"math"
	"runtime"
	"strings"
)

// BenchLines returns the results as lines of Go benchmarks, one for each run, for benchstat:
//
//	benchstat -col /sched quick.txt
func BenchLines(d *Data) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: github.com/berth-scheduler/berth/test/bench\n", runtime.GOOS, runtime.GOARCH)
	for _, c := range d.Cases {
		for _, scheduler := range d.Schedulers {
			startup := d.startup(c, scheduler)
			for _, r := range d.runs(c, scheduler) {
				fmt.Fprintf(&b, "BenchmarkE2E/%s/n%d/m%d", c.Workload, c.Nodes, c.Pods)
				if c.Rate > 0 {
					fmt.Fprintf(&b, "/live%g", c.Rate)
				}
				fmt.Fprintf(&b, "/sched=%s 1", scheduler)
				for _, m := range metrics {
					if value := m.of(r, startup); !m.startup && !math.IsNaN(value) {
						fmt.Fprintf(&b, " %.5g %s", value, m.unit)
					}
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}
