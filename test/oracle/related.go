package oracle

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
)

// The deviations of the hints of InterPodAffinity and PodTopologySpread.

const (
	podAffinity = "InterPodAffinity"
	podSpread   = "PodTopologySpread"
)

// eagerly reports whether we wake a pod that a plugin rejected, and upstream does not.
func eagerly(d Difference, plugin string) bool {
	return d.Kind == HowHinted && d.Plugin == plugin && d.Upstream != string(Queue) && d.Ours == string(Queue) ||
		d.Kind == IfWoken && d.Upstream == stays && d.Ours == isWoken
}

// aboutPodAffinity reports whether a difference is about whom the plugin wakes.
func aboutPodAffinity(d Difference) bool {
	return d.Kind == HowHinted && d.Plugin == podAffinity || d.Kind == IfWoken
}

// namespacesDecideWhoWakes is true where a term of the waiting pod means a pod of the event,
// or one of a pod of the event that keeps others away means the waiting pod, by the labels
// that a namespace has and not without them, or the other way round.
func namespacesDecideWhoWakes(q *Question, d Difference) bool {
	if !aboutPodAffinity(d) || q.Events[d.Event].Node != nil || q.Events[d.Event].NodeGone != "" {
		return false
	}
	for _, h := range q.happenings(q.Events[d.Event]) {
		for _, o := range []any{h.before, h.after} {
			if p, ok := o.(*corev1.Pod); ok && p != nil &&
				(q.namespaceDecides(q.Pod, requiredTerms(q.Pod), p) || q.namespaceDecides(p, antiTerms(p), q.Pod)) {
				return true
			}
		}
	}
	return false
}

// namespaceDecides reports whether one of owner's terms means p by its namespace's labels
// and not without them, or the other way round.
func (q *Question) namespaceDecides(owner *corev1.Pod, list []corev1.PodAffinityTerm, p *corev1.Pod) bool {
	terms, err := fwk.GetAffinityTerms(owner, list)
	if err != nil {
		return false
	}
	var set labels.Set
	seen := false
	for _, n := range q.Namespaces {
		if n.Name == p.Namespace {
			set, seen = n.Labels, true
		}
	}
	return slices.ContainsFunc(terms, func(t fwk.AffinityTerm) bool {
		if t.Namespaces.Has(p.Namespace) || t.NamespaceSelector.Empty() {
			return false
		}
		without := t.Matches(p, nil)
		return t.Matches(p, set) != without || !seen && without // of one that is not there no labels are known
	})
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
	if !eagerly(d, podAffinity) || q.Events[d.Event].Node == nil {
		return false
	}
	now := q.Events[d.Event].Node
	was := q.nodeOf(now.Name)
	for _, p := range q.Bound {
		for _, t := range antiTerms(p) {
			key := t.TopologyKey
			if was == nil || was.Labels[key] != now.Labels[key] || has(was, key) != has(now, key) {
				return true
			}
		}
	}
	return false
}

// nodesTakeAwayWhoKeptAway is true where a node goes that is in a domain of an
// anti-affinity term of the waiting pod, or of any term of a pod on a node.
func nodesTakeAwayWhoKeptAway(q *Question, d Difference) bool {
	if !eagerly(d, podAffinity) {
		return false
	}
	node := q.nodeOf(q.Events[d.Event].NodeGone)
	if node == nil {
		return false
	}
	terms := antiTerms(q.Pod)
	for _, p := range q.Bound {
		terms = append(terms, allTerms(p)...)
	}
	return slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool { return has(node, t.TopologyKey) })
}

// allTerms are the required terms of a pod and the preferred ones.
func allTerms(p *corev1.Pod) []corev1.PodAffinityTerm {
	list := requiredTerms(p)
	var preferred []corev1.WeightedPodAffinityTerm
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		preferred = append(preferred, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution...)
	}
	if a := p.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		preferred = append(preferred, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution...)
	}
	for i := range preferred {
		list = append(list, preferred[i].PodAffinityTerm)
	}
	return list
}

func has(n *corev1.Node, key string) bool {
	_, has := n.Labels[key]
	return has
}

// lastPartnerFreesTheFirst is true where a pod that matches the required affinity of the
// waiting pod goes, or does not match it any more, or its node leaves a domain, and the
// waiting pod matches it itself.
func lastPartnerFreesTheFirst(q *Question, d Difference) bool {
	if !eagerly(d, podAffinity) || q.Pod.Spec.Affinity == nil || q.Pod.Spec.Affinity.PodAffinity == nil {
		return false
	}
	e := q.Events[d.Event]
	terms := q.Pod.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	matchesAll := func(p *corev1.Pod) bool {
		return !slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool {
			s, err := metav1.LabelSelectorAsSelector(t.LabelSelector)
			return err != nil || !s.Matches(labels.Set(p.Labels))
		})
	}
	if len(terms) == 0 || !matchesAll(q.Pod) {
		return false
	}
	for _, h := range q.happenings(e) {
		switch was := h.before.(type) {
		case *corev1.Pod:
			if was != nil && matchesAll(was) {
				return true
			}
		case *corev1.Node:
			now, _ := h.after.(*corev1.Node)
			left := func(t corev1.PodAffinityTerm) bool {
				return has(was, t.TopologyKey) && (now == nil || !has(now, t.TopologyKey))
			}
			if was != nil && slices.ContainsFunc(terms, left) {
				return true
			}
		}
	}
	return false
}

// spreadCountsNominated is true where a nominated pod counts for a spread constraint
// although nobody of its kind on a node would: the selector is empty, or the pod is being
// deleted.
func spreadCountsNominated(q *Question, d Difference) bool {
	if d.Kind != OneNode || d.up.Nodes[d.Node].Plugin != podSpread && d.our.Nodes[d.Node].Plugin != podSpread {
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
	if !eagerly(d, podAffinity) || q.Events[d.Event].Pod == nil {
		return false
	}
	return q.podOf(q.Events[d.Event].Pod.UID) != nil && len(antiTerms(q.Pod)) > 1
}

func hard(c corev1.TopologySpreadConstraint) bool { return c.WhenUnsatisfiable == corev1.DoNotSchedule }

// terminatingPodsWake is true where a pod on a node begins to terminate, and the waiting
// pod has hard spread constraints.
func terminatingPodsWake(q *Question, d Difference) bool {
	if d.Kind != IfWoken || !eagerly(d, podSpread) || q.Events[d.Event].Pod == nil || !slices.ContainsFunc(q.Pod.Spec.TopologySpreadConstraints, hard) {
		return false
	}
	was := q.podOf(q.Events[d.Event].Pod.UID)
	return was != nil && was.DeletionTimestamp == nil && q.Events[d.Event].Pod.DeletionTimestamp != nil
}

// nodesSelectedOtherwiseWake is true where a node gets other labels, and the waiting pod
// selects nodes by labels and has hard spread constraints, its own or the profile's.
func nodesSelectedOtherwiseWake(q *Question, d Difference) bool {
	spread := len(q.Pod.Spec.TopologySpreadConstraints) > 0 || q.Profile == "related"
	selects := q.Pod.Spec.NodeSelector != nil || q.Pod.Spec.Affinity != nil && q.Pod.Spec.Affinity.NodeAffinity != nil
	if !eagerly(d, podSpread) || !spread || !selects || q.Events[d.Event].Node == nil {
		return false
	}
	was := q.nodeOf(q.Events[d.Event].Node.Name)
	return was != nil && !maps.Equal(was.Labels, q.Events[d.Event].Node.Labels)
}

// defaultsOfOthersWake is true where the waiting pod itself gets other labels, and is
// spread by the hard default constraints of its profile.
func defaultsOfOthersWake(q *Question, d Difference) bool {
	if !eagerly(d, podSpread) || q.Profile != "related" || len(q.Pod.Spec.TopologySpreadConstraints) > 0 {
		return false
	}
	now := q.Events[d.Event].Pod
	return now != nil && now.UID == q.Pod.UID && !maps.Equal(now.Labels, q.Pod.Labels)
}

// otherKeysWake is true where the waiting pod itself gets another value of a label that is
// one of its matchLabelKeys.
func otherKeysWake(q *Question, d Difference) bool {
	if !eagerly(d, podSpread) {
		return false
	}
	now := q.Events[d.Event].Pod
	return now != nil && now.UID == q.Pod.UID && slices.ContainsFunc(now.Spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
		return hard(c) && slices.ContainsFunc(c.MatchLabelKeys, func(key string) bool { return now.Labels[key] != q.Pod.Labels[key] })
	})
}
