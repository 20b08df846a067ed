package oracle

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// The deviations of InterPodAffinity's hints.

const podAffinity = "InterPodAffinity"

// aboutPodAffinity reports whether a difference is about whom the plugin wakes.
func aboutPodAffinity(d Difference) bool {
	return d.Kind == HowHinted && d.Plugin == podAffinity || d.Kind == IfWoken
}

// eager reports whether we wake a pod, and upstream does not.
func eager(d Difference) bool {
	return aboutPodAffinity(d) && (d.Upstream == string(Skip) && d.Ours == string(Queue) || d.Upstream == stays && d.Ours == isWoken)
}

// namespacesDecideWhoWakes is true where a term of the waiting pod, or one of a pod of the
// event that may keep it away, selects namespaces by labels.
func namespacesDecideWhoWakes(q *Question, d Difference) bool {
	if !aboutPodAffinity(d) || q.Events[d.Event].Node != nil || q.Events[d.Event].NodeGone != "" {
		return false
	}
	for _, h := range q.happenings(q.Events[d.Event]) {
		for _, o := range []any{h.before, h.after} {
			if p, ok := o.(*corev1.Pod); ok && p != nil && selectsNamespaces(p) {
				return true
			}
		}
	}
	return selectsNamespaces(q.Pod)
}

func selectsNamespaces(p *corev1.Pod) bool {
	return slices.ContainsFunc(requiredTerms(p), func(t corev1.PodAffinityTerm) bool { return t.NamespaceSelector != nil })
}

func requiredTerms(p *corev1.Pod) []corev1.PodAffinityTerm {
	var list []corev1.PodAffinityTerm
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		list = append(list, a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
	}
	return append(list, antiTerms(p)...)
}

func antiTerms(p *corev1.Pod) []corev1.PodAffinityTerm {
	if a := p.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		return a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return nil
}

// nodesWakeWhoIsKeptAway is true where a node comes, or changes a label that such a term
// goes by, and the pod is kept away by pods that want to be alone.
func nodesWakeWhoIsKeptAway(q *Question, d Difference) bool {
	if !eager(d) || q.Events[d.Event].Node == nil {
		return false
	}
	e := q.Events[d.Event]
	was := q.nodeOf(e.Node.Name)
	for _, p := range q.Bound {
		for _, t := range antiTerms(p) {
			if was == nil || was.Labels[t.TopologyKey] != e.Node.Labels[t.TopologyKey] {
				return true
			}
		}
	}
	return false
}

// lastPartnerFreesTheFirst is true where a pod that matches the required affinity of the
// waiting pod goes, or does not match it any more, and the waiting pod matches it itself.
func lastPartnerFreesTheFirst(q *Question, d Difference) bool {
	if !eager(d) || q.Pod.Spec.Affinity == nil || q.Pod.Spec.Affinity.PodAffinity == nil {
		return false
	}
	e := q.Events[d.Event]
	if e.Pod == nil && e.PodGone == "" {
		return false
	}
	terms := q.Pod.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	matchesAll := func(p *corev1.Pod) bool {
		return !slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool {
			s, err := metav1.LabelSelectorAsSelector(t.LabelSelector)
			return err != nil || !s.Matches(labels.Set(p.Labels))
		})
	}
	for _, h := range q.happenings(e) {
		if was, ok := h.before.(*corev1.Pod); ok && was != nil && len(terms) > 0 && matchesAll(was) && matchesAll(q.Pod) {
			return true
		}
	}
	return false
}

// spreadCountsNominated is true where a nominated pod counts for a spread constraint
// although nobody of its kind on a node would: the selector is empty, or the pod is being
// deleted.
func spreadCountsNominated(q *Question, d Difference) bool {
	if d.Kind != OneNode || d.up.Nodes[d.Node].Plugin != "PodTopologySpread" && d.our.Nodes[d.Node].Plugin != "PodTopologySpread" {
		return false
	}
	for _, p := range q.Nominated {
		if p.Namespace == q.Pod.Namespace && (p.DeletionTimestamp != nil || selectsAll(q.Pod)) {
			return true
		}
	}
	return false
}

func selectsAll(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
		return c.LabelSelector != nil && len(c.LabelSelector.MatchLabels)+len(c.LabelSelector.MatchExpressions) == 0
	})
}

// eachAntiTermWakes is true where a pod is relabelled and the waiting pod has several
// anti-affinity terms, of which it may match some still.
func eachAntiTermWakes(q *Question, d Difference) bool {
	return eager(d) && q.Events[d.Event].Pod != nil && len(antiTerms(q.Pod)) > 1
}

// terminatingPodsWake is true where a pod on a node begins to terminate, and the waiting
// pod has hard spread constraints.
func terminatingPodsWake(q *Question, d Difference) bool {
	if d.Kind != IfWoken || !eager(d) || q.Events[d.Event].Pod == nil || len(q.Pod.Spec.TopologySpreadConstraints) == 0 {
		return false
	}
	was := q.podOf(q.Events[d.Event].Pod.UID)
	return was != nil && was.DeletionTimestamp == nil && q.Events[d.Event].Pod.DeletionTimestamp != nil
}
