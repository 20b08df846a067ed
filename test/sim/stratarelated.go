package sim

import (
	corev1 "k8s.io/api/core/v1"
)

// Strata of the rules between pods: spread and affinity.

// relatedTown is a town whose pods on nodes are of a few kinds, some of them with rules of
// their own about others.
func (g *Gen) relatedTown(rules int) *World {
	w := g.town()
	w.Namespaces = g.namespaces()
	for _, n := range w.Nodes {
		n.Status.Allocatable[corev1.ResourcePods] = amount(corev1.ResourcePods, 110)
		if g.Chance(75) {
			n.Labels[corev1.LabelHostname] = n.Name
			n.Labels[corev1.LabelTopologyZone] = Pick(g, "z1", "z2", "z3", "z1", "z2", "z3", "")
			if g.Chance(5) {
				n.Labels[corev1.LabelHostname] = w.Nodes[0].Name // no name of its own
			}
			n.Labels[corev1.LabelTopologyRegion] = Pick(g, "r1", "r2")
		}
		for range Pick(g, 0, 0, 1, 2, 3) {
			p := g.small(w)
			p.Spec.NodeName = n.Name
			w.Bound = append(w.Bound, p)
		}
	}
	for _, p := range w.Bound {
		p.Namespace = Pick(g, "default", "default", "default", "other", "third", "unseen")
		p.Labels = g.relatedLabels()
		if g.Chance(rules) {
			g.affine(p, Pick(g, 0, 1), Pick(g, 0, 0, 1))
		}
	}
	return w
}

// affine gives a pod so many required terms of affinity and anti-affinity, and some
// preferred ones.
func (g *Gen) affine(p *corev1.Pod, near, far int) {
	if p.Spec.Affinity == nil {
		p.Spec.Affinity = &corev1.Affinity{}
	}
	p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution:  g.PodAffinityTerms(near),
		PreferredDuringSchedulingIgnoredDuringExecution: g.weighted(0, 0, 1, 2),
	}
	p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution:  g.PodAffinityTerms(far),
		PreferredDuringSchedulingIgnoredDuringExecution: g.weighted(0, 0, 1, 2),
	}
}

// newcomer draws the pod in question of a related town.
func (g *Gen) newcomer(w *World) *corev1.Pod {
	p := g.small(w)
	p.Namespace = Pick(g, "default", "default", "default", "other", "unseen")
	p.Labels = g.relatedLabels()
	if g.Chance(10) {
		p.Status.NominatedNodeName = Pick(g, nodeNames(w)...)
	}
	w.Pending = append(w.Pending, p)
	return p
}

// spreadWorld is about how evenly pods are spread.
func (g *Gen) spreadWorld() *World {
	w := g.relatedTown(5)
	p := g.newcomer(w)
	for range Pick(g, 1, 1, 1, 2, 2, 3) {
		p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, g.SpreadConstraint())
	}
	if g.Chance(30) {
		for _, n := range w.Nodes {
			n.Spec.Taints = g.taints()
		}
		p.Spec.Tolerations = g.answers(w)
	}
	if g.Chance(30) {
		p.Spec.NodeSelector = map[string]string{corev1.LabelTopologyRegion: Pick(g, "r1", "r2")}
	}
	g.suitors(w, p)
	return w
}

// sharedWorld is about pods that are spread by default, as their services and controllers
// say that they belong together.
func (g *Gen) sharedWorld() *World {
	w := g.relatedTown(5)
	g.newcomer(w)
	g.back(w)
	return g.extremes(w)
}

// nearWorld is about pods to be near to, farWorld about those to be away from, on either
// side.
func (g *Gen) nearWorld() *World {
	w := g.relatedTown(30)
	g.affine(g.newcomer(w), Pick(g, 1, 1, 1, 1, 2), Pick(g, 0, 0, 0, 1))
	g.suitors(w, w.Pending[0])
	return w
}

func (g *Gen) farWorld() *World {
	w := g.relatedTown(40)
	p := g.newcomer(w)
	if g.Chance(70) {
		g.affine(p, 0, Pick(g, 0, 1, 1, 2))
	}
	g.suitors(w, p)
	return g.extremes(w)
}

// suitors sometimes adds pods that wait with a node in mind, and have rules as well.
func (g *Gen) suitors(w *World, p *corev1.Pod) {
	if g.Chance(75) {
		return
	}
	p.Spec.Priority = ptr(int32(10))
	for range g.Between(1, 2) {
		other := g.newcomer(w)
		other.Spec.Priority = Pick(g, nil, ptr(int32(10)), ptr(int32(11)))
		other.Status.NominatedNodeName = Pick(g, nodeNames(w)...)
		if g.Chance(60) {
			g.affine(other, 0, Pick(g, 0, 1))
		}
	}
}
