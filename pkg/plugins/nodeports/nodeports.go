// Package nodeports keeps a pod off nodes on which a host port that it wants is taken.
package nodeports

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "NodePorts"
	// Reason is why a node with a conflict was cleared.
	Reason = "node(s) didn't have free ports for the requested pod ports"
)

// NodePorts is the plugin.
type NodePorts struct{}

var (
	_ framework.PreFilter = NodePorts{}
	_ framework.Filter    = NodePorts{}
	_ framework.Keeper    = NodePorts{}
	_ framework.Hinter    = NodePorts{}
)

// Name returns the plugin's name.
func (NodePorts) Name() string { return Name }

// PreFilter skips for pods that want no host port.
func (NodePorts) PreFilter(c *framework.Cycle) framework.Prep {
	return framework.Prep{Skip: len(c.Pod.HostPorts) == 0}
}

// Narrow clears the rows on which one of the ports conflicts.
func (NodePorts) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if why == nil {
		for _, port := range c.Pod.HostPorts {
			c.View.ClearTaken(fit, port)
		}
		return nil
	}
	var free, taken bitset.Set
	free.CopyFrom(fit)
	for _, port := range c.Pod.HostPorts {
		c.View.ClearTaken(&free, port)
	}
	taken.CopyFrom(fit)
	taken.AndNot(&free)
	why.Clear(fit, &taken, fwk.Unschedulable, Reason)
	return nil
}

// Fragment spells the ports out.
func (NodePorts) Fragment(p *podspec.Pod) string { return fmt.Sprint(p.HostPorts) }

// Scope is the row.
func (NodePorts) Scope() framework.Scope { return framework.PerRow }

// Hints says that a pod that left its ports may help, and a new node.
func (NodePorts) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Delete}, Ask: portFreed},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}},
	}
}

func portFreed(_ *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	gone, _, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if gone == nil || !framework.TakesRoom(gone) {
		return fwk.QueueSkip, nil // it took no port
	}
	for _, freed := range podspec.HostPorts(gone) {
		if slices.ContainsFunc(p.HostPorts, freed.Conflicts) {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}
