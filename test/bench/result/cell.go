package result

import (
	"fmt"
	"slices"
)

// Case is a workload at a size, in a mode. All schedulers are compared on the same case.
type Case struct {
	Workload string  `json:"workload"`
	Nodes    int     `json:"nodes"`
	Pods     int     `json:"pods"` // measured ones; 0 is the start-up alone
	Rate     float64 `json:"rate"` // pods/s at which they are created; 0 when all are there before the scheduler
}

// Startup is the same case without measured pods. Its CPU time is what a backlog of pods comes on top of.
func (c Case) Startup() Case { return Case{Workload: c.Workload, Nodes: c.Nodes} }

// String is the case as a part of file names: B1-n5000-m1000.
func (c Case) String() string {
	name := fmt.Sprintf("%s-n%d-m%d", c.Workload, c.Nodes, c.Pods)
	if c.Rate > 0 {
		name += fmt.Sprintf("-live%g", c.Rate)
	}
	return name
}

// Cell is one run.
type Cell struct {
	Case
	Scheduler string `json:"scheduler"`
	Run       int    `json:"run"` // from 1
}

// String is the cell's file name without its ending: B1-n5000-m1000-upstream-2.
func (c Cell) String() string { return fmt.Sprintf("%s-%s-%d", c.Case, c.Scheduler, c.Run) }

// Interleave returns the cells of a case in the order A B C, C B A, A B C ..., so that a machine that slowly gets
// faster or slower favours nobody.
func Interleave(c Case, schedulers []string, runs int) []Cell {
	var cells []Cell
	for run := 1; run <= runs; run++ {
		order := slices.Clone(schedulers)
		if run%2 == 0 {
			slices.Reverse(order)
		}
		for _, scheduler := range order {
			cells = append(cells, Cell{Case: c, Scheduler: scheduler, Run: run})
		}
	}
	return cells
}
