package podtopologyspread

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Hints says that pods which count coming or going may help, those that begin to terminate
// among them, and nodes which have a domain.
func (s *PodTopologySpread) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Add | fwk.Delete | fwk.UpdatePodLabel}, Ask: s.otherPod},
		{On: fwk.ClusterEvent{Resource: framework.TerminatingPod, ActionType: fwk.Add}, Ask: s.otherPod},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodToleration | fwk.UpdatePodLabel}, Ask: s.podItself},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.Delete | fwk.UpdateNodeLabel | fwk.UpdateNodeTaint}, Ask: s.node},
	}
}

// otherPod asks whether a pod that came, went or changed counts for the pod, or did.
func (s *PodTopologySpread) otherPod(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	some := now
	if some == nil {
		some = was
	}
	if !framework.TakesRoom(some) || some.Namespace != p.Namespace {
		return fwk.QueueSkip, nil
	}
	return s.counting(v, p, was, now)
}

// podItself asks whether the pod would count otherwise now, or on other nodes.
func (s *PodTopologySpread) podItself(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	spread, err := s.spreadOf(v, p)
	if err != nil {
		return fwk.Queue, err
	}
	if !equality.Semantic.DeepEqual(was.Spec.Tolerations, now.Spec.Tolerations) &&
		slices.ContainsFunc(spread.Hard, func(c podspec.SpreadConstraint) bool { return c.Where.Taints }) {
		return fwk.Queue, nil
	}
	return s.counting(v, p, was, now)
}

// counting queues the pod if some constraint counts one of two versions of a pod and not
// the other; one that is missing counts nowhere.
func (s *PodTopologySpread) counting(v *cluster.View, p *podspec.Pod, was, now *corev1.Pod) (fwk.QueueingHint, error) {
	spread, err := s.spreadOf(v, p)
	if err != nil {
		return fwk.Queue, err
	}
	for i := range spread.Hard {
		selects := func(o *corev1.Pod) bool { return o != nil && spread.Hard[i].Selector.Matches(labels.Set(o.Labels)) }
		if selects(was) != selects(now) {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}

// node asks whether a node makes up domains of all keys, and did not before, or others.
func (s *PodTopologySpread) node(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	spread, err := s.spreadOf(v, p)
	if err != nil {
		return fwk.Queue, err
	}
	had, has := domainsOf(was, spread.Hard), domainsOf(now, spread.Hard)
	taints := was != nil && now != nil && !equality.Semantic.DeepEqual(was.Spec.Taints, now.Spec.Taints)
	if !maps.Equal(had, has) || has != nil && taints {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

// domainsOf returns a node's values of the keys of all constraints, nil if it lacks one.
func domainsOf(n *corev1.Node, list []podspec.SpreadConstraint) map[string]string {
	if n == nil {
		return nil
	}
	values := make(map[string]string, len(list))
	for i := range list {
		value, has := n.Labels[list[i].TopologyKey]
		if !has {
			return nil
		}
		values[list[i].TopologyKey] = value
	}
	return values
}
