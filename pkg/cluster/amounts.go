package cluster

import "github.com/berth-scheduler/berth/pkg/podspec"

// amounts is the columns of one resource. They are there while some node offers it or some
// pod on a row takes it: anybody may make up names of resources and ask for them.
type amounts struct {
	allocatable []int64 // by row; never negative
	requested   []int64 // the same; saturated sums of Usage over the row's pods
	scored      []int64 // sums of UsageScore; nil for all but CPU and memory
	set         int     // cells that are not zero
}

// put sets a cell of a column.
func (a *amounts) put(column []int64, row int32, value int64) {
	was := column[row]
	column[row] = value
	switch {
	case was == 0 && value != 0:
		a.set++
	case was != 0 && value == 0:
		a.set--
	}
}

// addRow appends an empty row.
func (a *amounts) addRow() {
	a.allocatable, a.requested = append(a.allocatable, 0), append(a.requested, 0)
	if a.scored != nil {
		a.scored = append(a.scored, 0)
	}
}

// clearRow empties the cells of row.
func (a *amounts) clearRow(row int32) {
	a.put(a.allocatable, row, 0)
	a.put(a.requested, row, 0)
	if a.scored != nil {
		a.put(a.scored, row, 0)
	}
}

// amountsOf returns the columns of a resource, made if they are not there.
func (c *Cluster) amountsOf(col int32) *amounts {
	for int(col) >= len(c.amounts) {
		c.amounts = append(c.amounts, nil)
	}
	if c.amounts[col] == nil {
		a := &amounts{allocatable: make([]int64, len(c.names)), requested: make([]int64, len(c.names))}
		if col <= podspec.Memory {
			a.scored = make([]int64, len(c.names))
		}
		c.amounts[col] = a
	}
	return c.amounts[col]
}

// sweepAmounts drops the columns of a resource if all cells are zero. CPU, memory and
// ephemeral storage come back all the time, so they stay.
func (c *Cluster) sweepAmounts(col int32) {
	if podspec.IsScalarColumn(col) && c.amounts[col].set == 0 {
		c.amounts[col] = nil
	}
}

func (v *View) amountsIn(col int32) amounts {
	if int(col) >= len(v.amounts) || v.amounts[col] == nil {
		return amounts{}
	}
	return *v.amounts[col]
}
