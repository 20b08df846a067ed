package cluster

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// A column beyond resources is a small type of its own: it hears of nodes, of pods, or
// of both, and answers what one rule asks. Adding one takes its file, a field in View,
// and a line in New.

// nodeColumn is kept up to date with the nodes on rows.
type nodeColumn interface {
	// set takes over what the column reads of a node. The row may hold an older
	// version of the same node.
	set(row int32, n *corev1.Node)
	// clear forgets the row.
	clear(row int32)
}

// podColumn is kept up to date with the pods on rows. Try adds and removes as well; a
// remove undoes an add exactly.
type podColumn interface {
	add(row int32, p *podspec.Pod)
	remove(row int32, p *podspec.Pod)
}

// setNode tells all columns of a node.
func (c *Cluster) setNode(row int32, n *corev1.Node) {
	for _, col := range c.nodeColumns {
		col.set(row, n)
	}
}

// addPod tells all columns of a pod that came to a row, removePod of one that left.
func (c *Cluster) addPod(row int32, p *podspec.Pod) {
	for _, col := range c.podColumns {
		col.add(row, p)
	}
}

func (c *Cluster) removePod(row int32, p *podspec.Pod) {
	for _, col := range c.podColumns {
		col.remove(row, p)
	}
}
