package tainttoleration

import (
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

var _ framework.Hinter = (*TaintToleration)(nil)

// Hints says that a node whose taints are tolerated now, and were not before, may
// help, and so may any change of the pod's own tolerations.
func (t *TaintToleration) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeTaint}, Ask: t.nodeOpened},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodToleration}},
	}
}

func (t *TaintToleration) nodeOpened(_ *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if t.untolerated(now.Spec.Taints, p.Tolerations) {
		return fwk.QueueSkip, nil
	}
	if was == nil || t.untolerated(was.Spec.Taints, p.Tolerations) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}
