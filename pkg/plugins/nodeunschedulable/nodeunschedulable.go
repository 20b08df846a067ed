// Package nodeunschedulable keeps pods off cordoned nodes, unless they tolerate the
// taint that stands for the cordon.
package nodeunschedulable

import (
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "NodeUnschedulable"
	// Reason is why a cordoned node was cleared.
	Reason = "node(s) were unschedulable"
)

// NodeUnschedulable is the plugin. CompareOperators is the gate
// TaintTolerationComparisonOperators.
type NodeUnschedulable struct {
	CompareOperators bool
}

var (
	_ framework.Filter = (*NodeUnschedulable)(nil)
	_ framework.Keeper = (*NodeUnschedulable)(nil)
	_ framework.Hinter = (*NodeUnschedulable)(nil)
)

// Name returns the plugin's name.
func (*NodeUnschedulable) Name() string { return Name }

// Narrow clears the cordoned rows.
func (n *NodeUnschedulable) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if n.tolerates(c.Pod) {
		return nil
	}
	if why == nil {
		fit.AndNot(c.View.Unschedulable())
	} else {
		why.Clear(fit, c.View.Unschedulable(), fwk.UnschedulableAndUnresolvable, Reason)
	}
	return nil
}

var cordon = corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}

func (n *NodeUnschedulable) tolerates(p *podspec.Pod) bool {
	return len(p.Tolerations) > 0 &&
		corev1helpers.TolerationsTolerateTaint(logr.Discard(), p.Tolerations, &cordon, n.CompareOperators)
}

// Fragment is whether the pod tolerates the cordon.
func (n *NodeUnschedulable) Fragment(p *podspec.Pod) string {
	if n.tolerates(p) {
		return "tolerates"
	}
	return ""
}

// Scope is the row.
func (*NodeUnschedulable) Scope() framework.Scope { return framework.PerRow }

// Hints says that a node without a cordon may help, or a toleration for it.
func (n *NodeUnschedulable) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeTaint}, Ask: uncordoned},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodToleration}, Ask: n.nowTolerates},
	}
}

func uncordoned(_ *cluster.View, _ *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if !now.Spec.Unschedulable && (was == nil || was.Spec.Unschedulable) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

func (n *NodeUnschedulable) nowTolerates(_ *cluster.View, _ *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	_, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if corev1helpers.TolerationsTolerateTaint(logr.Discard(), now.Spec.Tolerations, &cordon, n.CompareOperators) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}
