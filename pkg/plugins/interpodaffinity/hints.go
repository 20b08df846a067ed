package interpodaffinity

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Hints says that pods to be near to may help when they come, and pods to be away from
// when they go; nodes when they come, go or change domains; and namespaces whose labels
// decide which pods are meant.
func (a *InterPodAffinity) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Add | fwk.Delete | fwk.UpdatePodLabel}, Ask: otherPod},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodLabel}},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.Delete | fwk.UpdateNodeLabel}, Ask: node},
		{On: fwk.ClusterEvent{Resource: framework.Namespace, ActionType: fwk.Add | fwk.Update | fwk.Delete}, Ask: namespace},
	}
}

func otherPod(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	some := now
	if some == nil {
		some = was
	}
	if framework.TakesRoom(some) && helps(v, p, was, now) {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

// helps reports whether another pod is one to be near to now, or one to be away from no
// more. A version that is missing is neither.
func helps(v *cluster.View, p *podspec.Pod, was, now *corev1.Pod) bool {
	if own := p.Affinity; own != nil {
		if len(own.Required) > 0 {
			had, has := matches(v, &own.Partners, was), matches(v, &own.Partners, now)
			if has && !had {
				return true
			}
			if had && !has && v.Selects(&own.Partners, p) {
				return true // the pod may be the first of its group now
			}
		}
		for i := range own.Blockers {
			if matches(v, &own.Blockers[i], was) && !matches(v, &own.Blockers[i], now) {
				return true
			}
		}
	}
	return now == nil && wantsToBeAlone(v, was, p, func(string) bool { return true })
}

func matches(v *cluster.View, s *podspec.Selection, o *corev1.Pod) bool {
	return o != nil && v.SelectsLabels(s, o.Namespace, o.Labels)
}

// wantsToBeAlone reports whether a pod has anti-affinity to p by some of the keys.
func wantsToBeAlone(v *cluster.View, o *corev1.Pod, p *podspec.Pod, keys func(string) bool) bool {
	if o.Spec.Affinity == nil || o.Spec.Affinity.PodAntiAffinity == nil {
		return false
	}
	terms, err := fwk.GetAffinityTerms(o, o.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	if err != nil {
		return true
	}
	set, _ := v.Namespace(p.Namespace)
	for i := range terms {
		if keys(terms[i].TopologyKey) && terms[i].Matches(p.API, set) {
			return true
		}
	}
	return false
}

// node asks whether a node brings pods or itself into a domain, or takes them out of one.
// It is asked when that has happened already.
func node(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Node](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	if now == nil {
		if takesAway(v, p, was) {
			return fwk.Queue, nil
		}
		return fwk.QueueSkip, nil
	}
	if own := p.Affinity; own != nil && nodeHelps(v, p, own, was, now) {
		return fwk.Queue, nil
	}
	for _, t := range v.TermsFor(p) { // as they are now: who repelled the pod may be in no domain any more
		if was == nil && !t.Repelled.Empty() || was != nil && t.Repels() && left(was, now, t.Key()) {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}

// takesAway reports whether pods that counted in a domain of a node that is gone, and count
// nowhere any more, were such that the pod may fit now.
func takesAway(v *cluster.View, p *podspec.Pod, n *corev1.Node) bool {
	in := func(key string) bool { return entered(nil, n, key) }
	own := p.Affinity
	if own == nil {
		own = &podspec.Affinity{}
	}
	maybeFirst := slices.ContainsFunc(own.Required, func(t podspec.Term) bool { return in(t.TopologyKey) }) && v.Selects(&own.Partners, p)
	for o := range v.Homeless(n.Name) {
		if maybeFirst && matches(v, &own.Partners, o.API) || wantsToBeAlone(v, o.API, p, in) {
			return true
		}
		for i := range own.Anti {
			if in(own.Anti[i].TopologyKey) && matches(v, &own.Blockers[i], o.API) {
				return true
			}
		}
	}
	return false
}

// nodeHelps is about the pod's own terms. When a node takes partners out of their domain,
// the pod may be the first of its group.
func nodeHelps(v *cluster.View, p *podspec.Pod, own *podspec.Affinity, was, now *corev1.Node) bool {
	for i := range own.Required {
		key := own.Required[i].TopologyKey
		if entered(was, now, key) || left(was, now, key) && v.Selects(&own.Partners, p) {
			return true
		}
	}
	for i := range own.Anti {
		if was == nil || left(was, now, own.Anti[i].TopologyKey) {
			return true
		}
	}
	return false
}

// namespace asks whether other pods are meant by the pod's terms now, or the pod by other
// terms of pods on nodes.
func namespace(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Namespace](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	own := p.Affinity
	if own == nil {
		own = &podspec.Affinity{}
	}
	selected := func(t *podspec.Term, n *corev1.Namespace) bool {
		return n != nil && t.NamespaceSelector.Matches(labels.Set(n.Labels))
	}
	for _, list := range [][]podspec.Term{own.Required, own.Anti} {
		for i := range list {
			if selected(&list[i], was) != selected(&list[i], now) {
				return fwk.Queue, nil
			}
		}
	}
	if some := cmp.Or(now, was); some != nil && some.Name == p.Namespace && v.TermsGoByNamespaces() {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

// entered reports whether a node is in a domain of key in which it was not before.
func entered(was, now *corev1.Node, key string) bool {
	value, has := domainOf(now, key)
	old, had := domainOf(was, key)
	return has && (!had || value != old)
}

// left reports whether a node is not any more in a domain of key in which it was.
func left(was, now *corev1.Node, key string) bool { return entered(now, was, key) }

// domainOf returns a node's value of a key. A node that is not there has none.
func domainOf(n *corev1.Node, key string) (string, bool) {
	if n == nil {
		return "", false
	}
	value, has := n.Labels[key]
	return value, has
}
