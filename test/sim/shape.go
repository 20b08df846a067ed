package sim

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// shapes are the ways in which a pod may ask for a list: each gives p containers
// that come to that list, unless the shape says otherwise.
var shapes = []func(g *Gen, p *corev1.Pod, list corev1.ResourceList){
	// one container
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) { container(p, list) },
	// two containers
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		a, b := g.split(list)
		container(p, a)
		container(p, b)
	},
	// an ordinary init container that asks for more than the containers
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		part, _ := g.split(list)
		initContainer(p, list)
		container(p, part)
	},
	// a sidecar beside a container
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		a, b := g.split(list)
		sidecar(p, a)
		container(p, b)
	},
	// an ordinary init container after a sidecar, which runs beside it
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		a, b := g.split(list)
		part, _ := g.split(b)
		sidecar(p, a)
		initContainer(p, b)
		container(p, part)
	},
	// an ordinary init container before the sidecar, which does not
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		a, b := g.split(list)
		initContainer(p, b)
		sidecar(p, a)
		container(p, b)
	},
	// overhead
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		a, b := g.split(list)
		container(p, a)
		p.Spec.Overhead = b
	},
	// resources of the pod, whatever its containers ask for
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		p.Spec.Resources = &corev1.ResourceRequirements{Requests: list}
		container(p, list)
		container(p, g.asks())
	},
	// the same with overhead on top
	func(g *Gen, p *corev1.Pod, list corev1.ResourceList) {
		a, b := g.split(list)
		p.Spec.Resources = &corev1.ResourceRequirements{Requests: a}
		container(p, nil)
		sidecar(p, g.asks())
		p.Spec.Overhead = b
	},
	// anything
	func(g *Gen, p *corev1.Pod, _ corev1.ResourceList) {
		for range g.Between(0, 3) {
			Pick(g, container, container, initContainer, sidecar)(p, g.asks())
		}
	},
	// nothing
	func(g *Gen, p *corev1.Pod, _ corev1.ResourceList) { container(p, nil) },
}

// shape gives p its containers: at the edge of what is left on a node, or whatever
// comes.
func (g *Gen) shape(p *corev1.Pod, left room) {
	list := g.asks()
	if left != nil && g.Chance(70) {
		list = g.fitting(left)
	}
	Pick(g, shapes...)(g, p, list)
}

// split cuts a list into two that add up to it. What is not a whole number of units
// stays in the first.
func (g *Gen) split(list corev1.ResourceList) (a, b corev1.ResourceList) {
	a, b = corev1.ResourceList{}, corev1.ResourceList{}
	for i := range kinds {
		name := kinds[i].name
		q, asked := list[name]
		if !asked {
			continue
		}
		whole := units(name, q)
		if exact := amount(name, whole); whole == 0 || exact.Cmp(q) != 0 {
			a[name] = q.DeepCopy()
			continue
		}
		first := g.Int64N(whole)
		a[name], b[name] = amount(name, first), amount(name, whole-first)
	}
	return a, b
}

func container(p *corev1.Pod, list corev1.ResourceList) {
	p.Spec.Containers = append(p.Spec.Containers, corev1.Container{
		Name: fmt.Sprintf("c%d", len(p.Spec.Containers)), Resources: requests(list),
	})
}

func initContainer(p *corev1.Pod, list corev1.ResourceList) {
	p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{
		Name: fmt.Sprintf("i%d", len(p.Spec.InitContainers)), Resources: requests(list),
	})
}

func sidecar(p *corev1.Pod, list corev1.ResourceList) {
	initContainer(p, list)
	p.Spec.InitContainers[len(p.Spec.InitContainers)-1].RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
}

func requests(list corev1.ResourceList) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: list.DeepCopy()}
}
