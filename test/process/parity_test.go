package process

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"
)

var table = flag.Bool("table", false, "print what is equal, what deviates and what is missing")

// verdict is how one thing compares.
type verdict struct {
	area, item string
	outcome    string // "equal", "UNEQUAL", "deviates" or "missing"
	why        string
}

var (
	mu       sync.Mutex // guards verdicts
	verdicts []verdict
)

func record(v verdict) {
	mu.Lock()
	defer mu.Unlock()
	verdicts = append(verdicts, v)
}

// note takes down whether something is as with kube-scheduler.
func note(area, item string, equal bool) {
	v := verdict{area: area, item: item, outcome: "equal"}
	if !equal {
		v.outcome = "UNEQUAL"
	}
	record(v)
}

// differs takes down what is not, on purpose.
func differs(area, item, why string) { record(verdict{area, item, "deviates", why}) }

// lacks takes down what is not there yet.
func lacks(area, item, why string) { record(verdict{area, item, "missing", why}) }

// printTable prints how many are how by area, and those that are not equal.
func printTable(w io.Writer) {
	outcomes := []string{"equal", "deviates", "missing", "UNEQUAL"}
	counts := map[string]map[string]int{}
	for _, v := range verdicts {
		if counts[v.area] == nil {
			counts[v.area] = map[string]int{}
		}
		counts[v.area][v.outcome]++
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "area\tequal\tdeviates\tmissing\tUNEQUAL")
	for _, area := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprint(tw, area)
		for _, outcome := range outcomes {
			fmt.Fprintf(tw, "\t%d", counts[area][outcome])
		}
		fmt.Fprintln(tw)
	}
	fmt.Fprintln(tw)
	slices.SortStableFunc(verdicts, func(a, b verdict) int {
		return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.outcome, b.outcome), cmp.Compare(a.item, b.item))
	})
	for _, v := range verdicts {
		if v.outcome != "equal" {
			fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", v.area, v.outcome, v.item, v.why)
		}
	}
	_ = tw.Flush()
}
