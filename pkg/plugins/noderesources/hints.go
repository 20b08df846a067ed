package noderesources

import (
	"slices"

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
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Delete}, Ask: podLeft},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeAllocatable}, Ask: f.nodeGrew},
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.UpdatePodScaleDown}, Ask: podShrank},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodScaleDown}},
	}
}

func podLeft(_ *cluster.View, _ *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	gone, _, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if gone == nil || !framework.TakesRoom(gone) {
		return fwk.QueueSkip, nil
	}
	return fwk.Queue, nil
}

// podShrank asks whether a pod on a node takes less than before of something that the
// waiting pod would take there.
func podShrank(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if !framework.TakesRoom(now) {
		return fwk.QueueSkip, nil
	}
	took, takes := v.Resources().Usage(was), v.Resources().Usage(now)
	for _, need := range p.Usage {
		if takes.Of(need.Col) < took.Of(need.Col) {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}

// nodeGrew asks whether the pod fits the node when it is empty, and whether the
// node offers more than before of something that the pod needs.
func (f *Fit) nodeGrew(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	needs := f.needsOf(v.Resources(), p)
	offers, podsNow := v.Resources().Vector(now.Status.Allocatable), allocatablePods(now)
	if podsNow < 1 || slices.ContainsFunc(needs, func(a podspec.Amount) bool { return a.Value > offers.Of(a.Col) }) {
		return fwk.QueueSkip, nil
	}
	if was == nil || podsNow > allocatablePods(was) {
		return fwk.Queue, nil
	}
	offered := v.Resources().Vector(was.Status.Allocatable)
	if slices.ContainsFunc(needs, func(a podspec.Amount) bool { return offers.Of(a.Col) > offered.Of(a.Col) }) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

func allocatablePods(n *corev1.Node) int64 {
	return podspec.Whole(n.Status.Allocatable[corev1.ResourcePods])
}
