package sim

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Namespaces that pods and terms are drawn from. The last one has no object.
var namespaceNames = []string{"default", "other", "third", "unseen"}

// topologyKeys that terms and constraints go by; some nodes lack them, all lack the last.
var topologyKeys = []string{
	corev1.LabelHostname, corev1.LabelHostname, corev1.LabelHostname, corev1.LabelTopologyZone, corev1.LabelTopologyZone,
	corev1.LabelTopologyZone, corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelTopologyRegion, "disk", "nowhere",
}

// Related draws a World whose pods have rules about other pods: spread constraints and
// affinity of every kind, over several namespaces.
func (g *Gen) Related() *World {
	w := g.World()
	w.Namespaces = g.namespaces()
	for _, list := range [][]*corev1.Pod{w.Bound, w.Pending} {
		for _, p := range list {
			g.relatePod(p)
		}
	}
	return w
}

// RelateTape gives the pods of a tape rules about others, and puts changes of namespaces
// between its operations where no Try is open.
func (g *Gen) RelateTape(ops []Op) []Op {
	var out []Op
	done, open := map[*corev1.Pod]bool{nil: true}, false
	for _, o := range ops {
		if !done[o.Pod] {
			done[o.Pod] = true
			g.relatePod(o.Pod)
		}
		open = o.Verb == TryMark || open && (o.Verb != TryRollback || o.Level > 0)
		if out = append(out, o); !open && g.Chance(15) {
			out = append(out, g.namespaceChange())
		}
	}
	return out
}

func (g *Gen) namespaceChange() Op {
	n := g.namespace(Pick(g, namespaceNames...))
	if g.Chance(25) {
		return Op{Verb: RemoveNamespace, Name: n.Name}
	}
	return Op{Verb: SetNamespace, Namespace: n}
}

func (g *Gen) namespaces() []*corev1.Namespace {
	var list []*corev1.Namespace
	for _, name := range namespaceNames[:len(namespaceNames)-1] {
		list = append(list, g.namespace(name))
	}
	return list
}

func (g *Gen) namespace(name string) *corev1.Namespace {
	n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}}
	if g.Chance(60) {
		n.Labels["team"] = Pick(g, "a", "b")
	}
	return n
}

// relatePod draws the pod's namespace, labels, affinity and spread constraints.
func (g *Gen) relatePod(p *corev1.Pod) {
	p.Namespace = Pick(g, "default", "default", "default", "other", "third", "unseen")
	p.Labels = g.relatedLabels()
	if p.Spec.Affinity == nil {
		p.Spec.Affinity = &corev1.Affinity{}
	}
	p.Spec.Affinity.PodAffinity, p.Spec.Affinity.PodAntiAffinity = nil, nil
	if g.Chance(45) {
		p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  g.PodAffinityTerms(0, 0, 0, 1, 1, 2),
			PreferredDuringSchedulingIgnoredDuringExecution: g.weighted(0, 0, 1, 2),
		}
	}
	if g.Chance(45) {
		p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  g.PodAffinityTerms(0, 0, 1, 1, 2),
			PreferredDuringSchedulingIgnoredDuringExecution: g.weighted(0, 0, 1, 2),
		}
	}
	for range Pick(g, 0, 0, 1, 1, 2, 3) {
		p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, g.SpreadConstraint())
	}
}

func (g *Gen) relatedLabels() map[string]string {
	set := map[string]string{}
	if g.Chance(85) {
		set["app"] = Pick(g, "web", "web", "db")
	}
	if g.Chance(40) {
		set["tier"] = Pick(g, "t", "u")
	}
	return set
}

// PodAffinityTerms draws as many terms as one of the numbers says.
func (g *Gen) PodAffinityTerms(numbers ...int) []corev1.PodAffinityTerm {
	var terms []corev1.PodAffinityTerm
	for range Pick(g, numbers...) {
		terms = append(terms, g.podAffinityTerm())
	}
	return terms
}

func (g *Gen) weighted(numbers ...int) []corev1.WeightedPodAffinityTerm {
	var terms []corev1.WeightedPodAffinityTerm
	for range Pick(g, numbers...) {
		terms = append(terms, corev1.WeightedPodAffinityTerm{Weight: int32(Pick(g, 1, 2, 29, 50, 58, 100)), PodAffinityTerm: g.podAffinityTerm()})
	}
	return terms
}

func (g *Gen) podAffinityTerm() corev1.PodAffinityTerm {
	t := corev1.PodAffinityTerm{TopologyKey: Pick(g, topologyKeys...), LabelSelector: g.podSelector()}
	if g.Chance(25) {
		t.Namespaces = []string{Pick(g, namespaceNames...), Pick(g, namespaceNames...)}
	}
	if g.Chance(35) {
		t.NamespaceSelector = g.namespaceSelector()
	}
	return t
}

func (g *Gen) namespaceSelector() *metav1.LabelSelector {
	in := func(op metav1.LabelSelectorOperator, key string, values ...string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: op, Values: values}}}
	}
	return Pick(g,
		&metav1.LabelSelector{},
		&metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}},
		in(metav1.LabelSelectorOpNotIn, corev1.LabelMetadataName, "default"),
		in(metav1.LabelSelectorOpIn, "team", "a", "b"),
		in(metav1.LabelSelectorOpDoesNotExist, "team"),
	)
}

// podSelector draws a selector that some of relatedLabels match; rarely none, or one that
// all do.
func (g *Gen) podSelector() *metav1.LabelSelector {
	switch {
	case g.Chance(4):
		return nil
	case g.Chance(6):
		return &metav1.LabelSelector{}
	case g.Chance(50):
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": Pick(g, "web", "db")}}
	}
	r := metav1.LabelSelectorRequirement{Key: Pick(g, "app", "tier"), Operator: Pick(g,
		metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
	if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
		r.Values = Pick(g, []string{"web"}, []string{"t"}, []string{"web", "db"}, []string{"t", "u"})
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{r}}
}

// SpreadConstraint draws a constraint that the API would take.
func (g *Gen) SpreadConstraint() corev1.TopologySpreadConstraint {
	policies := []*corev1.NodeInclusionPolicy{nil, nil, ptr(corev1.NodeInclusionPolicyHonor), ptr(corev1.NodeInclusionPolicyIgnore)}
	c := corev1.TopologySpreadConstraint{
		MaxSkew:            int32(Pick(g, 1, 1, 1, 2, 3)),
		TopologyKey:        Pick(g, topologyKeys...),
		WhenUnsatisfiable:  Pick(g, corev1.DoNotSchedule, corev1.DoNotSchedule, corev1.ScheduleAnyway),
		LabelSelector:      g.podSelector(),
		NodeAffinityPolicy: Pick(g, policies...),
		NodeTaintsPolicy:   Pick(g, policies...),
	}
	if c.WhenUnsatisfiable == corev1.DoNotSchedule && g.Chance(30) {
		c.MinDomains = ptr(int32(g.Between(1, 4)))
	}
	if c.LabelSelector != nil && g.Chance(20) {
		c.MatchLabelKeys = []string{Pick(g, "app", "tier", "none")}
	}
	return c
}
