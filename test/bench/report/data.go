package report

import (
	"math"

	"github.com/berth-scheduler/berth/test/bench/result"
)

// Data is what a report is made of.
type Data struct {
	Title      string
	About      []string      // lines on the machine and the programs
	Cases      []result.Case // in the order to show them
	Schedulers []string      // the last one is compared with the others
	Results    []result.Result
	NotBuilt   []string // workloads that the last scheduler cannot run yet, and why
}

// runs returns the good results of a scheduler in a case.
func (d *Data) runs(c result.Case, scheduler string) []result.Result {
	var runs []result.Result
	for _, r := range d.Results {
		if r.Case == c && r.Scheduler == scheduler && r.Good() {
			runs = append(runs, r)
		}
	}
	return runs
}

// startup returns the median start-up of a scheduler in a case, with NaN when there is none.
func (d *Data) startup(c result.Case, scheduler string) result.Result {
	return MedianStartup(d.runs(c.Startup(), scheduler))
}

// MedianStartup returns a result whose CPU times are the medians of those given, NaN of none.
func MedianStartup(runs []result.Result) result.Result {
	var cpu, server []float64
	for _, r := range runs {
		cpu, server = append(cpu, r.CPU), append(server, r.ServerCPU)
	}
	return result.Result{CPU: result.Median(cpu), ServerCPU: result.Median(server)}
}

// values returns a metric of all good runs that have it.
func (d *Data) values(m metric, c result.Case, scheduler string) []float64 {
	from := c
	if m.startup {
		from = c.Startup()
		from.Rate = c.Rate // so that a live case, which is measured after its start-up, shows none
	}
	startup := d.startup(c, scheduler)
	var values []float64
	for _, r := range d.runs(from, scheduler) {
		if value := m.of(r, startup); !math.IsNaN(value) {
			values = append(values, value)
		}
	}
	return values
}

// others are the schedulers to compare with.
func (d *Data) others() []string { return d.Schedulers[:max(0, len(d.Schedulers)-1)] }

// subject is the scheduler that it is all about.
func (d *Data) subject() string { return d.Schedulers[len(d.Schedulers)-1] }
