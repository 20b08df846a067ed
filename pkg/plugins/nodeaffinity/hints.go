package nodeaffinity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

var _ framework.Hinter = (*NodeAffinity)(nil)

// Hints says that a node which is selected now, and was not before, may help.
func (n *NodeAffinity) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeLabel}, Ask: n.nodeSelected},
	}
}

func (n *NodeAffinity) nodeSelected(_ *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if n.addedMatcher != nil && !n.addedMatcher.Match(now) {
		return fwk.QueueSkip, nil
	}
	selects := nodeaffinity.GetRequiredNodeAffinity(p.API)
	matches, err := selects.Match(now)
	if err != nil {
		return fwk.Queue, err
	}
	if !matches {
		return fwk.QueueSkip, nil
	}
	if was == nil {
		return fwk.Queue, nil
	}
	matched, err := selects.Match(was)
	if err != nil {
		return fwk.Queue, err
	}
	if matched && (n.addedMatcher == nil || n.addedMatcher.Match(was)) {
		return fwk.QueueSkip, nil
	}
	return fwk.Queue, nil
}
