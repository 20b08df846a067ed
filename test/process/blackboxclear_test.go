package process

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// clear removes everything, first the pods that what goes might wake, and waits until the program has seen it.
func (s *stage) clear(ctx context.Context) error {
	client := s.Client(controlplane.Admin).CoreV1()
	pods, err := client.Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	slices.SortStableFunc(pods.Items, func(a, b corev1.Pod) int {
		return cmp.Compare(min(len(a.Spec.NodeName), 1), min(len(b.Spec.NodeName), 1))
	})
	for i := range pods.Items {
		if err := s.removePod(ctx, &pods.Items[i]); err != nil {
			return err
		}
	}
	if err := client.Nodes().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return err
	}
	return s.until(ctx, "the stage to be clear", func(context.Context) error { return s.isClear() })
}

// removePod deletes a pod at once, whatever holds it.
func (s *stage) removePod(ctx context.Context, pod *corev1.Pod) error {
	if len(pod.Finalizers) > 0 {
		if err := s.patchPod(ctx, pod.Name, `{"metadata":{"finalizers":null}}`); err != nil || pod.DeletionTimestamp != nil {
			return err // nil if that was the last thing that held it
		}
	}
	return s.Client(controlplane.Admin).CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, *metav1.NewDeleteOptions(0))
}
