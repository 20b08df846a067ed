package noderesources

import (
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

var _ framework.Hinter = (*Fit)(nil)

// Hints says what may make room: a pod that left or shrank, a node that came or
// grew, or the pod's own shrinking.
func (f *Fit) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Delete}},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeAllocatable}, Ask: nodeGrew},
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.UpdatePodScaleDown}},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodScaleDown}},
	}
}

// nodeGrew asks whether the pod fits the node when it is empty, and whether the
// node offers more than before of something that the pod needs.
func nodeGrew(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	offers := v.Resources().Vector(now.Status.Allocatable)
	for _, need := range p.Requests {
		if need.Value > offers.Of(need.Col) {
			return fwk.QueueSkip, nil
		}
	}
	podsNow := podspec.Whole(now.Status.Allocatable[corev1.ResourcePods])
	if podsNow < 1 {
		return fwk.QueueSkip, nil
	}
	if was == nil || podsNow > podspec.Whole(was.Status.Allocatable[corev1.ResourcePods]) {
		return fwk.Queue, nil
	}
	offered := v.Resources().Vector(was.Status.Allocatable)
	for _, need := range p.Requests {
		if offers.Of(need.Col) > offered.Of(need.Col) {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}
