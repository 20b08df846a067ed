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
// among them, and nodes which have a domain. With hard default constraints, so may what
// says which pods belong together.
func (s *PodTopologySpread) Hints() []framework.Hint {
	hints := []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Add | fwk.Delete | fwk.UpdatePodLabel}, Ask: s.otherPod},
		{On: fwk.ClusterEvent{Resource: framework.TerminatingPod, ActionType: fwk.Add}, Ask: s.otherPod},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodToleration | fwk.UpdatePodLabel}, Ask: s.podItself},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.Delete | fwk.UpdateNodeLabel | fwk.UpdateNodeTaint}, Ask: s.node},
	}
	if len(s.defaults.Hard) > 0 {
		backers := fwk.ClusterEvent{Resource: framework.Backers, ActionType: fwk.Add | fwk.Update | fwk.Delete}
		controller := fwk.ClusterEvent{Resource: framework.AdoptedPod, ActionType: fwk.Update}
		hints = append(hints, framework.Hint{On: backers, Ask: backer}, framework.Hint{On: controller, Ask: adopted})
	}
	return hints
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

// podItself asks whether the pod would count otherwise now, on other nodes, or with other
// pods.
func (s *PodTopologySpread) podItself(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if p.Spread == nil && len(s.defaults.Hard) > 0 && !maps.Equal(was.Labels, now.Labels) {
		return fwk.Queue, nil // other services may be its
	}
	spread := s.spreadOf(v, p)
	if spread.HardErr != nil {
		return fwk.Queue, spread.HardErr
	}
	if slices.ContainsFunc(spread.Hard, func(c podspec.SpreadConstraint) bool { return selectsOthers(c.Keys, was, now) }) {
		return fwk.Queue, nil
	}
	if !equality.Semantic.DeepEqual(was.Spec.Tolerations, now.Spec.Tolerations) &&
		slices.ContainsFunc(spread.Hard, func(c podspec.SpreadConstraint) bool { return c.Where.Taints }) {
		return fwk.Queue, nil
	}
	return s.counting(v, p, was, now)
}

// selectsOthers reports whether a pod has other values of some keys now, which are part of
// what a constraint selects.
func selectsOthers(keys []string, was, now *corev1.Pod) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		old, had := was.Labels[key]
		value, has := now.Labels[key]
		return had != has || old != value
	})
}

// adopted asks whether the pod, which has another controller now, is to be spread with the
// pods of that.
func adopted(_ *cluster.View, p *podspec.Pod, _, _ any) (fwk.QueueingHint, error) {
	if p.Spread == nil {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

// backer asks whether a service or controller is one of the pod's, or was, and decides
// with that how the pod is to be spread.
func backer(_ *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*framework.Backer](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if p.Spread == nil && (was.Backs(p) || now.Backs(p)) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

// counting queues the pod if some constraint counts one of two versions of a pod and not
// the other; one that is missing counts nowhere.
func (s *PodTopologySpread) counting(v *cluster.View, p *podspec.Pod, was, now *corev1.Pod) (fwk.QueueingHint, error) {
	spread := s.spreadOf(v, p)
	if spread.HardErr != nil {
		return fwk.Queue, spread.HardErr
	}
	for i := range spread.Hard {
		selects := func(o *corev1.Pod) bool { return o != nil && spread.Hard[i].Selector.Matches(labels.Set(o.Labels)) }
		if selects(was) != selects(now) {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}

// node asks whether a node makes up domains of all keys, and did not before, or others,
// or whether its pods count no more, or from now on.
func (s *PodTopologySpread) node(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	spread := s.spreadOf(v, p)
	if spread.HardErr != nil {
		return fwk.Queue, spread.HardErr
	}
	had, has := domainsOf(was, spread.Hard), domainsOf(now, spread.Hard)
	taints := was != nil && now != nil && !equality.Semantic.DeepEqual(was.Spec.Taints, now.Spec.Taints)
	if !maps.Equal(had, has) || has != nil && (taints || s.selectedOtherwise(p, spread.Hard, was, now)) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

// selectedOtherwise reports whether new labels of a node take it out of where pods count
// for some constraint, or into it. What helps may be far from the node: a domain that had
// the fewest pods may be none any more.
func (s *PodTopologySpread) selectedOtherwise(p *podspec.Pod, list []podspec.SpreadConstraint, was, now *corev1.Node) bool {
	if was == nil || now == nil || maps.Equal(was.Labels, now.Labels) {
		return false
	}
	for i := range list {
		if !list[i].Where.Affinity {
			continue
		}
		if takes := s.judgeFor(p, &list[i].Where); takes(was) != takes(now) {
			return true
		}
	}
	return false
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
