package object

import corev1 "k8s.io/api/core/v1"

// Pods is how many pods a node takes.
func Pods(quantity string) NodeFunc { return Resource(corev1.ResourcePods, quantity).NodeFunc }

// Zone is the node's zone label.
func Zone(zone string) NodeFunc { return Label(corev1.LabelTopologyZone, zone).NodeFunc }

// Taint is a taint of a node.
func Taint(key, value string, effect corev1.TaintEffect) NodeFunc {
	return func(node *corev1.Node) {
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: effect})
	}
}

// Cordoned is a node with spec.unschedulable.
func Cordoned() NodeFunc {
	return func(node *corev1.Node) { node.Spec.Unschedulable = true }
}
