// Package nodename lets a pod that names a node go nowhere else.
package nodename

import (
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
)

const (
	// Name is the plugin's name in a profile.
	Name = "NodeName"
	// Reason is why a node that the pod does not name was cleared.
	Reason = "node(s) didn't match the requested node name"
)

// NodeName is the plugin.
type NodeName struct {
	names [1]string  // the named node, for this attempt
	named bitset.Set // its row
}

var (
	_ framework.PreFilter = (*NodeName)(nil)
	_ framework.Filter    = (*NodeName)(nil)
	_ framework.Hinter    = (*NodeName)(nil)
)

// Name returns the plugin's name.
func (*NodeName) Name() string { return Name }

// PreFilter leaves the named node only, and skips for pods that name none.
func (n *NodeName) PreFilter(c *framework.Cycle) framework.Prep {
	if c.Pod.NodeName == "" { // most pods
		return framework.Prep{Skip: true}
	}
	n.named.Resize(c.View.Rows())
	n.named.Clear()
	if row, known := c.View.Row(c.Pod.NodeName); known {
		n.named.Add(row)
	}
	n.names[0] = c.Pod.NodeName
	return framework.Prep{Names: n.names[:]}
}

// Narrow clears every row but the named one.
func (n *NodeName) Narrow(_ *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if why == nil {
		fit.And(&n.named)
		return nil
	}
	var others bitset.Set
	others.CopyFrom(fit)
	others.AndNot(&n.named)
	why.Clear(fit, &others, fwk.UnschedulableAndUnresolvable, Reason)
	return nil
}

// Hints says that a new node may be the named one.
func (*NodeName) Hints() []framework.Hint {
	return []framework.Hint{{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}}}
}
