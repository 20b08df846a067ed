package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	waitTimeout = 30 * time.Second // of a wait whose context has no deadline
	waitPoll    = 50 * time.Millisecond
)

// WaitFor asks again and again until holds returns nil. What holds returns otherwise says what is still missing;
// the last one ends up in the error. The wait ends with its context, after 30 s if that has no deadline,
// and at once when the control plane breaks.
func (c *ControlPlane) WaitFor(ctx context.Context, what string, holds func(context.Context) error) error {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, waitTimeout)
		defer cancel()
	}
	ctx, done := c.whileAlive(ctx)
	defer done()
	begin := time.Now()
	last := errors.New("not asked yet")
	err := wait.PollUntilContextCancel(ctx, waitPoll, true, func(ctx context.Context) (bool, error) {
		err := holds(ctx)
		if err != nil && ctx.Err() == nil { // an answer cut short by the deadline hides the telling one
			last = err
		}
		return err == nil, nil
	})
	if err == nil {
		return nil
	}
	return fmt.Errorf("waited %v for %s: %w; last seen: %w",
		time.Since(begin).Round(time.Millisecond), what, context.Cause(ctx), last)
}

// WaitBound waits until a pod has a node, and returns its name.
func (c *ControlPlane) WaitBound(ctx context.Context, namespace, name string) (node string, err error) {
	what := fmt.Sprintf("pod %s/%s to be bound", namespace, name)
	err = c.waitPod(ctx, what, namespace, name, func(pod *corev1.Pod) bool {
		node = pod.Spec.NodeName
		return node != ""
	})
	return node, err
}

// WaitReason waits until the condition PodScheduled of a pod has the reason, say Unschedulable or SchedulingGated,
// and returns it.
func (c *ControlPlane) WaitReason(ctx context.Context, namespace, name, reason string) (corev1.PodCondition, error) {
	what := fmt.Sprintf("pod %s/%s to have PodScheduled with reason %s", namespace, name, reason)
	var seen corev1.PodCondition
	err := c.waitPod(ctx, what, namespace, name, func(pod *corev1.Pod) bool {
		seen = scheduled(pod)
		return seen.Reason == reason
	})
	return seen, err
}

// waitPod waits for something that one look at a pod shows.
func (c *ControlPlane) waitPod(ctx context.Context, what, namespace, name string, holds func(*corev1.Pod) bool) error {
	pods := c.Client(Admin).CoreV1().Pods(namespace)
	return c.WaitFor(ctx, what, func(ctx context.Context) error {
		pod, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if holds(pod) {
			return nil
		}
		state := scheduled(pod)
		return fmt.Errorf("node %q, nominated %q, PodScheduled %s %s: %s",
			pod.Spec.NodeName, pod.Status.NominatedNodeName, state.Status, state.Reason, state.Message)
	})
}

// scheduled returns the condition PodScheduled, empty when the pod has none.
func scheduled(pod *corev1.Pod) corev1.PodCondition {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			return condition
		}
	}
	return corev1.PodCondition{}
}
