package cluster

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/quantity"
)

// addRow appends an empty row to every column.
func (c *Cluster) addRow() int32 {
	row := int32(len(c.names))
	c.names = append(c.names, "")
	c.nodes = append(c.nodes, nil)
	c.revs = append(c.revs, 0)
	c.podCount = append(c.podCount, 0)
	c.podLimit = append(c.podLimit, 0)
	c.taintSet = append(c.taintSet, 0)
	c.rowPods = append(c.rowPods, nil)
	for _, cols := range [][][]int64{c.allocatable, c.requested, c.scored} {
		for i := range cols {
			cols[i] = append(cols[i], 0)
		}
	}
	c.live.Resize(len(c.names))
	c.unschedulable.Resize(len(c.names))
	return row
}

// clearRow empties every cell of row; its name and revision go last.
func (c *Cluster) clearRow(row int32) {
	for _, cols := range [][][]int64{c.allocatable, c.requested, c.scored} {
		for i := range cols {
			cols[i][row] = 0
		}
	}
	for _, col := range c.nodeColumns {
		col.clear(row)
	}
	c.podCount[row], c.podLimit[row] = 0, 0
	c.unschedulable.Remove(row)
	c.taints.release(c.taintSet[row])
	c.taintSet[row] = 0
	c.live.Remove(row)
	c.nodes[row] = nil
	c.names[row] = ""
}

// setCapacity fills the allocatable cells of row. A negative quantity, which only
// a broken node reports, offers nothing.
func (c *Cluster) setCapacity(row int32, list corev1.ResourceList) {
	for i := range c.allocatable {
		c.allocatable[i][row] = 0
	}
	for _, a := range c.resources.Vector(list) {
		c.grow(a.Col)
		c.allocatable[a.Col][row] = a.Value
	}
	c.podLimit[row] = 0
	if pods, ok := list[corev1.ResourcePods]; ok {
		c.podLimit[row] = max(0, podspec.Whole(pods))
	}
}

// grow makes the columns up to col. All three families get them together, so
// that a resource which is offered can be summed, and the other way round.
func (c *Cluster) grow(col int32) {
	for int32(len(c.allocatable)) <= col {
		c.allocatable = append(c.allocatable, make([]int64, len(c.names)))
		c.requested = append(c.requested, make([]int64, len(c.names)))
	}
	for int32(len(c.scored)) <= min(col, podspec.Memory) {
		c.scored = append(c.scored, make([]int64, len(c.names)))
	}
}

// charge adds what a pod takes to its row.
func (c *Cluster) charge(row int32, p *podspec.Pod) {
	for _, a := range p.Usage {
		c.grow(a.Col)
		cells := c.requested[a.Col]
		cells[row] = quantity.Add(cells[row], a.Value)
	}
	for _, a := range p.UsageScore {
		c.grow(a.Col)
		cells := c.scored[a.Col]
		cells[row] = quantity.Add(cells[row], a.Value)
	}
	c.podCount[row]++
}

// discharge takes it away again. p has already left rowPods. A sum that reached
// the top has forgotten how far beyond it was, so it is counted afresh.
func (c *Cluster) discharge(row int32, p *podspec.Pod) {
	c.podCount[row]--
	for _, a := range p.Usage {
		cells := c.requested[a.Col]
		if cells[row] == quantity.Max {
			cells[row] = c.recount(row, a.Col, usage)
		} else {
			cells[row] -= a.Value
		}
	}
	for _, a := range p.UsageScore {
		cells := c.scored[a.Col]
		if cells[row] == quantity.Max {
			cells[row] = c.recount(row, a.Col, usageScore)
		} else {
			cells[row] -= a.Value
		}
	}
}

func usage(p *podspec.Pod) podspec.Vector      { return p.Usage }
func usageScore(p *podspec.Pod) podspec.Vector { return p.UsageScore }

func (c *Cluster) recount(row, col int32, of func(*podspec.Pod) podspec.Vector) int64 {
	var sum int64
	for _, m := range c.rowPods[row] {
		sum = quantity.Add(sum, of(m.spec).Of(col))
	}
	return sum
}
