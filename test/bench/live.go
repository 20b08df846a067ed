package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// offer waits for the scheduler's start-up, and then creates pods at a rate whatever becomes of them. It returns
// when the creation of each was due: one that is late because the server is slow counts as latency.
func (m *measurement) offer(ctx context.Context, pods []*corev1.Pod, rate float64) (map[string]time.Time, error) {
	if _, err := m.await(ctx, 0); err != nil {
		return nil, err
	}
	if err := m.restart(); err != nil {
		return nil, err
	}
	client := m.rig.plane.Client(controlplane.Admin).CoreV1()
	due := map[string]time.Time{}
	failed := make([]error, len(pods))
	var group sync.WaitGroup
	defer group.Wait()
	for i, pod := range pods {
		at := m.begin.Add(dueAt(i, rate))
		due[pod.Namespace+"/"+pod.Name] = at
		if err := sleep(ctx, time.Until(at)); err != nil {
			return nil, err
		}
		group.Go(func() {
			_, failed[i] = client.Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{})
		})
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, fmt.Errorf("cannot create all pods: %w", err)
	}
	return due, nil
}

// dueAt returns when the i-th pod is created, counted from the first.
func dueAt(i int, rate float64) time.Duration {
	return time.Duration(float64(i) / rate * float64(time.Second))
}
