package controlplane

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
)

const createWorkers = 32

// CreateNodes creates nodes, many at a time. The API takes a node's status along with its creation, as it does from a
// kubelet, so one request is enough.
func (c *ControlPlane) CreateNodes(ctx context.Context, nodes ...*corev1.Node) error {
	client := c.Client(Admin).CoreV1().Nodes()
	return each(ctx, nodes, func(ctx context.Context, node *corev1.Node) error {
		if _, err := client.Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("cannot create node %s: %w", node.Name, err)
		}
		return nil
	})
}

// CreatePods creates pods, many at a time and so in no order. Where order matters, call it once for each.
func (c *ControlPlane) CreatePods(ctx context.Context, pods ...*corev1.Pod) error {
	client := c.Client(Admin).CoreV1()
	return each(ctx, pods, func(ctx context.Context, pod *corev1.Pod) error {
		if _, err := client.Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("cannot create pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
		return nil
	})
}

// each calls do for all items with a bounded number of workers. The first failure stops the rest.
func each[T any](ctx context.Context, items []T, do func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workqueue.ParallelizeUntil(ctx, createWorkers, len(items), func(i int) {
		if err := do(ctx, items[i]); err != nil {
			cancel(err) // the first one wins
		}
	})
	return context.Cause(ctx)
}
