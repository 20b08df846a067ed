package cluster

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Cluster is the columns and what changes them. Make one with New.
type Cluster struct {
	View

	free     []int32   // rows without a node, last freed on top
	spare    []*member // of removed pods, for reuse
	revision uint64
	try      Try

	nodeColumns []nodeColumn
	podColumns  []podColumn
}

// New returns an empty cluster that numbers resources with the given table, which
// it shares with the compiler of its pods.
func New(resources *podspec.Resources) *Cluster {
	c := &Cluster{}
	c.resources = resources
	c.byName, c.homeless = map[string]int32{}, map[string][]*member{}
	c.pods = map[types.UID]*member{}
	c.taints.acquire(nil) // number 0 is the empty list for ever
	c.try.c = c
	c.labels, c.ports, c.images, c.features, c.order = newLabels(), newPorts(), newImages(), &features{}, &order{}
	c.nodeColumns = []nodeColumn{c.labels, c.images, c.features, c.order}
	c.podColumns = []podColumn{c.ports}
	c.topology = newTopology(&c.View)
	c.backers = newBackers()
	return c
}

// SetNode records a node as last seen: a new one gets a row and the pods that
// waited for it, a known one is brought up to date.
func (c *Cluster) SetNode(n *corev1.Node) {
	c.mustBeSettled()
	row, known := c.byName[n.Name]
	if !known {
		row = c.takeRow(n.Name)
	}
	moves := !known || concerned(c.nodes[row], n)
	if moves && known {
		c.topology.leave(row)
	}
	c.nodes[row] = n
	c.setCapacity(row, n.Status.Allocatable)
	c.unschedulable.Put(row, n.Spec.Unschedulable)
	taints := c.taints.acquire(n.Spec.Taints)
	c.taints.release(c.taintSet[row])
	c.taintSet[row] = taints
	c.setNode(row, n)
	if moves {
		c.topology.enter(row)
	}
	c.touch(row)
	if !known {
		c.settle(n.Name, row)
	}
}

// RemoveNode takes a node out. Its pods are kept by its name, its row is free.
func (c *Cluster) RemoveNode(name string) {
	c.mustBeSettled()
	row, known := c.byName[name]
	if !known {
		return
	}
	for _, m := range c.rowPods[row] {
		c.topology.remove(m)
		c.removePod(row, m.spec)
		m.row = -1
		c.homeless[name] = append(c.homeless[name], m)
	}
	c.rowPods[row] = nil
	c.topology.leave(row)
	c.clearRow(row)
	c.topology.enter(row)
	delete(c.byName, name)
	c.free = append(c.free, row)
	c.touch(row)
}

// takeRow gives a row to name, reusing the one freed last.
func (c *Cluster) takeRow(name string) int32 {
	var row int32
	if last := len(c.free) - 1; last >= 0 {
		row, c.free = c.free[last], c.free[:last]
	} else {
		row = c.addRow()
	}
	c.names[row] = name
	c.byName[name] = row
	c.live.Add(row)
	c.taintSet[row] = c.taints.acquire(nil)
	return row
}

// settle puts the pods that waited for a node on its row.
func (c *Cluster) settle(name string, row int32) {
	waiting := c.homeless[name]
	delete(c.homeless, name)
	for _, m := range waiting {
		c.put(m, row)
	}
}

// touch gives row a new revision and records the change.
func (c *Cluster) touch(row int32) {
	c.revision++
	c.revs[row] = c.revision
	c.log.add(row)
}

func (c *Cluster) mustBeSettled() {
	invariants.Check(len(c.try.undo) == 0, "cluster: changed while a Try is open")
}
