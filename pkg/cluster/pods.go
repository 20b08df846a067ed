package cluster

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// member is a pod on a node.
type member struct {
	spec    *podspec.Pod
	node    string
	row     int32 // -1 while the node is unknown
	at      int32 // its place in rowPods[row]
	assumed bool

	kind   *kind // while on a row, as are the others
	kindAt int32 // its place in the kind
	terms  []*Term
}

// SetPod records a pod as last seen on a node. It confirms an assumed pod, brings
// a known one up to date, and moves one that was believed elsewhere.
func (c *Cluster) SetPod(p *podspec.Pod) {
	c.mustBeSettled()
	c.topology.dropIdle()
	c.place(p, p.NodeName, false)
}

// Assume counts a pod on the row that was chosen for it.
func (c *Cluster) Assume(p *podspec.Pod, row int32) {
	c.mustBeSettled()
	invariants.Check(c.pods[p.UID] == nil, "cluster: assumed a pod that is already on a node")
	c.place(p, c.names[row], true)
}

// AssumeOn counts a pod on a node by name: one that was found to be bound there
// before the watch has told so.
func (c *Cluster) AssumeOn(p *podspec.Pod, node string) {
	c.mustBeSettled()
	c.place(p, node, true)
}

// Remove takes a pod away, bound or assumed. It reports whether it was there.
func (c *Cluster) Remove(uid types.UID) bool {
	c.mustBeSettled()
	m := c.pods[uid]
	if m == nil {
		return false
	}
	delete(c.pods, uid)
	c.lift(m)
	c.countAssumed(m, false)
	*m = member{}
	c.spare = append(c.spare, m)
	return true
}

func (c *Cluster) countAssumed(m *member, on bool) {
	switch {
	case !m.assumed:
	case on:
		c.assumed++
	default:
		c.assumed--
	}
}

// newMember reuses the memory of a pod that was removed: pods are assumed all day.
func (c *Cluster) newMember() *member {
	last := len(c.spare) - 1
	if last < 0 {
		return &member{}
	}
	m := c.spare[last]
	c.spare = c.spare[:last]
	return m
}

// Forget takes an assumed pod away; one that has been seen on its node stays.
func (c *Cluster) Forget(uid types.UID) bool {
	if m := c.pods[uid]; m == nil || !m.assumed {
		return false
	}
	return c.Remove(uid)
}

func (c *Cluster) place(p *podspec.Pod, node string, assumed bool) {
	m := c.pods[p.UID]
	if m != nil {
		c.lift(m)
	} else {
		m = c.newMember()
		c.pods[p.UID] = m
	}
	c.countAssumed(m, false)
	m.spec, m.node, m.assumed = p, node, assumed
	c.countAssumed(m, true)
	if row, known := c.byName[node]; known {
		c.put(m, row)
		return
	}
	m.row = -1
	c.homeless[node] = append(c.homeless[node], m)
}

// lift takes m off its row or out of the homeless.
func (c *Cluster) lift(m *member) {
	if m.row >= 0 {
		c.take(m)
		return
	}
	waiting := c.homeless[m.node]
	i := slices.Index(waiting, m)
	if waiting = slices.Delete(waiting, i, i+1); len(waiting) > 0 {
		c.homeless[m.node] = waiting
	} else {
		delete(c.homeless, m.node)
	}
}

// put appends m to row.
func (c *Cluster) put(m *member, row int32) {
	m.row, m.at = row, int32(len(c.rowPods[row]))
	c.rowPods[row] = append(c.rowPods[row], m)
	c.charge(row, m.spec)
	c.topology.add(m)
	c.addPod(m.row, m.spec)
	c.touch(row)
}

// take removes m from its row; the last pod of the row gets its place.
func (c *Cluster) take(m *member) {
	pods := c.rowPods[m.row]
	last := pods[len(pods)-1]
	pods[m.at], last.at = last, m.at
	pods[len(pods)-1] = nil
	c.rowPods[m.row] = pods[:len(pods)-1]
	c.discharge(m.row, m.spec)
	c.topology.remove(m)
	c.removePod(m.row, m.spec)
	c.touch(m.row)
}

// untake undoes take: m gets its old place back, and who had it goes to the end.
func (c *Cluster) untake(m *member) {
	pods := append(c.rowPods[m.row], m)
	end := int32(len(pods) - 1)
	if m.at != end {
		moved := pods[m.at]
		pods[m.at], pods[end] = m, moved
		moved.at = end
	}
	c.rowPods[m.row] = pods
	c.charge(m.row, m.spec)
	c.topology.add(m)
	c.addPod(m.row, m.spec)
	c.touch(m.row)
}
