package controlplane

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"

	"github.com/berth-scheduler/berth/test/controlplane/object"
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

// CreatePriorityClasses creates the classes that object.Priority names, unless they are there.
func (c *ControlPlane) CreatePriorityClasses(ctx context.Context) error {
	client := c.Client(Admin).SchedulingV1().PriorityClasses()
	for _, class := range object.PriorityClasses() {
		_, err := client.Create(ctx, class, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("cannot create priority class %s: %w", class.Name, err)
		}
	}
	return nil
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
