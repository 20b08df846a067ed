package oracle

import (
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// happening is what both sides are told of an event: its kind and the two objects, as
// an informer's handler would tell.
type happening struct {
	fwk.ClusterEvent
	before, after any
}

// label is the resource and the action, as upstream's metrics have them.
func (h happening) label() string { return h.Label() }

// subject returns the pod that waits, as it is when the event comes.
func (h happening) subject(pod *corev1.Pod) *corev1.Pod {
	if now, ok := h.after.(*corev1.Pod); ok && now.UID == pod.UID {
		return now
	}
	return pod
}

// happenings returns what an event of a question is for the queue, none when nothing
// that anybody listens to has changed. Upstream says what a change is.
func (q *Question) happenings(e Event) []happening {
	switch {
	case e.Node != nil:
		return seen(fwk.Node, q.nodeOf(e.Node.Name), e.Node, func(was *corev1.Node) []fwk.ClusterEvent {
			return framework.NodeSchedulingPropertiesChange(e.Node, was)
		})
	case e.Pod != nil:
		return seen(fwk.AssignedPod, q.podOf(e.Pod.UID), e.Pod, func(was *corev1.Pod) []fwk.ClusterEvent {
			return framework.PodSchedulingPropertiesChange(e.Pod, was, e.Pod.UID == q.Pod.UID)
		})
	case e.NodeGone != "":
		return []happening{{fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Delete}, q.nodeOf(e.NodeGone), nil}}
	}
	return []happening{{fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Delete}, q.podOf(e.PodGone), nil}}
}

// seen is an object that came, or one that changed.
func seen[T any](resource fwk.EventResource, was, now *T, changed func(was *T) []fwk.ClusterEvent) []happening {
	if was == nil {
		return []happening{{fwk.ClusterEvent{Resource: resource, ActionType: fwk.Add}, nil, now}}
	}
	var list []happening
	for _, ev := range changed(was) {
		list = append(list, happening{ev, was, now})
	}
	return list
}
