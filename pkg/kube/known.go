package kube

import corev1 "k8s.io/api/core/v1"

// What the informers know is a little ahead of what they have put.

// Pods returns all pods that have not finished, those of other schedulers too. They must
// not be changed.
func (w *Watch) Pods() []*corev1.Pod {
	known := w.pods.List()
	pods := make([]*corev1.Pod, len(known))
	for i, obj := range known {
		pods[i] = obj.(*corev1.Pod)
	}
	return pods
}

// Nodes returns the names of all nodes.
func (w *Watch) Nodes() []string { return w.nodes.ListKeys() }
