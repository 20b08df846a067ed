package engine

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// nodeEvents names what changed on a node, in the order in which it is told. Nothing
// that a rule reads, no event: heartbeats are free.
func nodeEvents(was, now *corev1.Node) []fwk.ClusterEvent {
	var events []fwk.ClusterEvent
	add := func(differs bool, action fwk.ActionType) {
		if differs {
			events = append(events, fwk.ClusterEvent{Resource: fwk.Node, ActionType: action})
		}
	}
	equal := equality.Semantic.DeepEqual
	add(was.Spec.Unschedulable && !now.Spec.Unschedulable, fwk.UpdateNodeTaint)
	add(!equal(was.Status.Allocatable, now.Status.Allocatable), fwk.UpdateNodeAllocatable)
	add(!equal(was.Labels, now.Labels), fwk.UpdateNodeLabel)
	add(!equal(was.Spec.Taints, now.Spec.Taints), fwk.UpdateNodeTaint)
	add(!equal(statuses(was), statuses(now)), fwk.UpdateNodeCondition)
	add(!equal(was.Annotations, now.Annotations), fwk.UpdateNodeAnnotation)
	add(!equal(was.Spec.PodPreemptionPolicy, now.Spec.PodPreemptionPolicy), fwk.UpdateNodePreemptionPolicy)
	add(!equal(was.Status.DeclaredFeatures, now.Status.DeclaredFeatures), fwk.UpdateNodeDeclaredFeature)
	return events
}

// statuses reduces conditions to what events compare.
func statuses(n *corev1.Node) map[corev1.NodeConditionType]corev1.ConditionStatus {
	m := make(map[corev1.NodeConditionType]corev1.ConditionStatus, len(n.Status.Conditions))
	for i := range n.Status.Conditions {
		m[n.Status.Conditions[i].Type] = n.Status.Conditions[i].Status
	}
	return m
}

// podEvents names what changed on a pod, in the order in which it is told. A change
// that no rule reads is the general update.
func podEvents(resource fwk.EventResource, was, now *podspec.Pod) []fwk.ClusterEvent {
	var events []fwk.ClusterEvent
	add := func(differs bool, action fwk.ActionType) {
		if differs {
			events = append(events, fwk.ClusterEvent{Resource: resource, ActionType: action})
		}
	}
	down, up := scaled(was.Usage, now.Usage)
	equal := equality.Semantic.DeepEqual
	add(!equal(was.API.Labels, now.API.Labels), fwk.UpdatePodLabel)
	add(down, fwk.UpdatePodScaleDown)
	add(up, fwk.UpdatePodScaleUp)
	add(len(was.Gates) > 0 && len(now.Gates) == 0, fwk.UpdatePodSchedulingGatesEliminated)
	add(len(was.Tolerations) != len(now.Tolerations), fwk.UpdatePodToleration)
	add(!equal(was.API.Status.ResourceClaimStatuses, now.API.Status.ResourceClaimStatuses) ||
		!equal(was.API.Status.ExtendedResourceClaimStatus, now.API.Status.ExtendedResourceClaimStatus), fwk.UpdatePodGeneratedResourceClaim)
	add(len(events) == 0, fwk.Update)
	return events
}

// scaled reports whether any amount went down or up between two sorted vectors.
func scaled(was, now podspec.Vector) (down, up bool) {
	for len(was) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || len(was) > 0 && was[0].Col < now[0].Col:
			down, was = true, was[1:]
		case len(was) == 0 || now[0].Col < was[0].Col:
			up, now = true, now[1:]
		default:
			down = down || now[0].Value < was[0].Value
			up = up || now[0].Value > was[0].Value
			was, now = was[1:], now[1:]
		}
	}
	return down, up
}
