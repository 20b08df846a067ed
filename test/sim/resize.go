package sim

import (
	corev1 "k8s.io/api/core/v1"
)

// resize puts a pod in the middle of an in-place resize: its status tells other
// requests than its spec, for some containers, for the pod, or for both, and a
// condition may say that the node cannot follow now, or ever.
func (g *Gen) resize(p *corev1.Pod) {
	for i := range p.Spec.Containers {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, g.resizing(&p.Spec.Containers[i]))
	}
	for i := range p.Spec.InitContainers {
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, g.resizing(&p.Spec.InitContainers[i]))
	}
	switch level := p.Spec.Resources; {
	case level != nil && g.Chance(70):
		p.Status.AllocatedResources = g.resized(level.Requests)
		if g.Chance(70) {
			p.Status.Resources = &corev1.ResourceRequirements{Requests: g.resized(level.Requests)}
		}
	case level == nil && g.Chance(8): // of a pod that has none in its spec
		p.Status.AllocatedResources = g.asks()
		if g.Chance(70) {
			p.Status.Resources = &corev1.ResourceRequirements{Requests: g.asks()}
		}
	}
	g.pend(p)
}

// pend says why a resize of a pod waits, if it does, in place of what was said before.
func (g *Gen) pend(p *corev1.Pod) {
	p.Status.Conditions = nil
	if reason := Pick(g, "", "", corev1.PodReasonInfeasible, corev1.PodReasonDeferred); reason != "" {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: reason,
		})
	}
}

// resizeTamely is resize with amounts that some machine may have. Of a pod that waits,
// the status counts in some places and not in others.
func (g *Gen) resizeTamely(p *corev1.Pod) {
	g.resize(p)
	for _, list := range listsOf(p) {
		g.tame(list)
	}
}

func (g *Gen) resizing(c *corev1.Container) corev1.ContainerStatus {
	s := corev1.ContainerStatus{Name: c.Name}
	if g.Chance(60) {
		s.AllocatedResources = g.resized(c.Resources.Requests)
	}
	if g.Chance(60) {
		s.Resources = &corev1.ResourceRequirements{}
		if g.Chance(80) {
			s.Resources.Requests = g.resized(c.Resources.Requests)
		}
	}
	return s
}

// resized draws a list with more or less of what another has.
func (g *Gen) resized(list corev1.ResourceList) corev1.ResourceList {
	out := corev1.ResourceList{}
	for i := range kinds {
		name := kinds[i].name
		q, asked := list[name]
		switch {
		case g.Chance(10): // something else, or no more
			if other := Pick(g, kinds[i].asks...); other != nil {
				out[name] = other.DeepCopy()
			}
		case asked && g.Chance(50):
			out[name] = amount(name, units(name, q)/2)
		case asked && g.Chance(50) && units(name, q) < 1<<62:
			out[name] = amount(name, units(name, q)*2)
		case asked:
			out[name] = q.DeepCopy()
		}
	}
	return out
}
