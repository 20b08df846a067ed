package report

import (
	"fmt"
	"slices"

	"github.com/berth-scheduler/berth/test/bench/result"
)

// noiseLine says what the machine did besides the runs.
func noiseLine(results []result.Result) string {
	if len(results) == 0 {
		return "noise: no runs"
	}
	part := func(format string, of func(result.Noise) float64) string {
		var values []float64
		for _, r := range results {
			values = append(values, of(r.Noise))
		}
		return fmt.Sprintf(format, result.Median(values), slices.Max(values))
	}
	return fmt.Sprintf("noise of %d runs, median (and most): %s; %s; %s; %s", len(results),
		part("steal %.1f %% (%.1f %%)", func(n result.Noise) float64 { return n.Steal }),
		part("foreign processes %.1f %% (%.1f %%)", func(n result.Noise) float64 { return n.Foreign }),
		part("drift of a fixed piece of work %.1f %% (%.1f %%)", func(n result.Noise) float64 { return n.Drift }),
		part("watches cut by the API server %.0f (%.0f)", func(n result.Noise) float64 { return float64(n.Cuts) }))
}

// withoutNumber names the runs that failed or are void.
func (d *Data) withoutNumber() []string {
	var lines []string
	for _, r := range d.Results {
		switch {
		case r.Failed != "":
			lines = append(lines, fmt.Sprintf("%s failed: %s", r.Cell, r.Failed))
		case r.Void != "":
			lines = append(lines, fmt.Sprintf("%s is void: %s", r.Cell, r.Void))
		}
	}
	return lines
}
