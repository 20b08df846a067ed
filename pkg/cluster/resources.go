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
	for _, a := range c.amounts {
		if a != nil {
			a.addRow()
		}
	}
	c.live.Resize(len(c.names))
	c.unschedulable.Resize(len(c.names))
	return row
}

// clearRow empties every cell of row; its name and revision go last.
func (c *Cluster) clearRow(row int32) {
	for col, a := range c.amounts {
		if a != nil {
			a.clearRow(row)
			c.sweepAmounts(int32(col))
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
	offers := c.resources.Vector(list)
	for _, offer := range offers {
		c.amountsOf(offer.Col)
	}
	for col, a := range c.amounts {
		if a != nil {
			a.put(a.allocatable, row, offers.Of(int32(col)))
			c.sweepAmounts(int32(col))
		}
	}
	c.podLimit[row] = 0
	if pods, ok := list[corev1.ResourcePods]; ok {
		c.podLimit[row] = max(0, podspec.Whole(pods))
	}
}

// charge adds what a pod takes to its row.
func (c *Cluster) charge(row int32, p *podspec.Pod) {
	for _, take := range p.Usage {
		a := c.amountsOf(take.Col)
		a.put(a.requested, row, quantity.Add(a.requested[row], take.Value))
	}
	for _, take := range p.UsageScore {
		a := c.amountsOf(take.Col)
		a.put(a.scored, row, quantity.Add(a.scored[row], take.Value))
	}
	c.podCount[row]++
}

// discharge takes it away again. p has already left rowPods.
func (c *Cluster) discharge(row int32, p *podspec.Pod) {
	c.podCount[row]--
	for _, take := range p.Usage {
		a := c.amounts[take.Col]
		a.put(a.requested, row, c.less(a.requested[row], take, row, usage))
		c.sweepAmounts(take.Col)
	}
	for _, take := range p.UsageScore {
		a := c.amounts[take.Col]
		a.put(a.scored, row, c.less(a.scored[row], take, row, usageScore))
	}
}

// less returns a sum on row without what a pod took that has left. A sum that reached the
// top has forgotten how far beyond it was, so it is counted afresh.
func (c *Cluster) less(sum int64, take podspec.Amount, row int32, of func(*podspec.Pod) podspec.Vector) int64 {
	if sum == quantity.Max {
		return c.recount(row, take.Col, of)
	}
	return sum - take.Value
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
