package sim

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Node draws a node.
func (g *Gen) Node(name string) *corev1.Node {
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: g.nodeLabels(name)},
		Spec:       corev1.NodeSpec{Unschedulable: g.Chance(15), Taints: g.taints()},
		Status:     corev1.NodeStatus{Allocatable: g.offer()},
	}
	return n
}

// How many pods a node takes; nil: it does not say.
var podLimits = quantities("-", "0", "1", "2", "3", "3", "5", "110", "110", "110", "110", "9223372036854775807")

// offer draws what a node has.
func (g *Gen) offer() corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := range kinds {
		if q := Pick(g, kinds[i].offers...); q != nil {
			list[kinds[i].name] = q.DeepCopy()
		}
	}
	if q := Pick(g, podLimits...); q != nil {
		list[corev1.ResourcePods] = q.DeepCopy()
	}
	return list
}

// quantities parses amounts to draw from; "-" stands for an absent one.
func quantities(texts ...string) []*resource.Quantity {
	list := make([]*resource.Quantity, len(texts))
	for i, text := range texts {
		if text != "-" {
			list[i] = ptr(resource.MustParse(text))
		}
	}
	return list
}
