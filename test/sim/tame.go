package sim

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// most is what a tame quantity has at the most, in units: sums of a few, and a
// hundred times one, are far from the end of int64.
const most = 1 << 46

// Tame brings the quantities of a world that no machine has back to what some may
// have. Odd ones stay: fractions, zeros, requests for nothing.
func (g *Gen) Tame(w *World) *World {
	for _, n := range w.Nodes {
		g.tame(n.Status.Allocatable)
	}
	for _, pods := range [][]*corev1.Pod{w.Bound, w.Pending} {
		for _, p := range pods {
			for _, list := range listsOf(p) {
				g.tame(list)
			}
		}
	}
	return w
}

func (g *Gen) tame(list corev1.ResourceList) {
	for _, name := range sortedNames(list) {
		if units(name, list[name]) > most {
			list[name] = amount(name, 1+g.Int64N(most))
		}
	}
	if pods, ok := list[corev1.ResourcePods]; ok && units(corev1.ResourcePods, pods) > most {
		list[corev1.ResourcePods] = *resource.NewQuantity(110, resource.DecimalSI)
	}
}

// sortedNames lists the names that worlds know, in a fixed order.
func sortedNames(list corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for i := range kinds {
		if _, ok := list[kinds[i].name]; ok {
			names = append(names, kinds[i].name)
		}
	}
	return names
}

// listsOf returns every list of requests that a pod carries, in spec and status.
func listsOf(p *corev1.Pod) []corev1.ResourceList {
	lists := []corev1.ResourceList{p.Spec.Overhead, p.Status.AllocatedResources}
	for _, r := range []*corev1.ResourceRequirements{p.Spec.Resources, p.Status.Resources} {
		if r != nil {
			lists = append(lists, r.Requests)
		}
	}
	for _, containers := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range containers {
			lists = append(lists, containers[i].Resources.Requests)
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range statuses {
			lists = append(lists, statuses[i].AllocatedResources)
			if statuses[i].Resources != nil {
				lists = append(lists, statuses[i].Resources.Requests)
			}
		}
	}
	return lists
}
