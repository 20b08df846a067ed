package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/bench/endstate"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// judge looks at what the API server holds. A scheduler that knows no rules between pods
// is not held to them.
func (r *rig) judge(ctx context.Context, pods []*corev1.Pod, ruleless bool) error {
	client := r.plane.Client(controlplane.Admin)
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	all, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	events, err := client.EventsV1().Events(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: "reason=Scheduled"})
	if err != nil {
		return err
	}
	namespaces, err := client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	return endstate.Check(&endstate.State{
		Nodes: nodes.Items, Pods: all.Items, Namespaces: namespaces.Items, Events: events.Items, Ruleless: ruleless,
	}, pods)
}

// cuts returns how many watches the API server has ended because they did not take their events fast enough.
func (r *rig) cuts(ctx context.Context) (int, error) {
	metrics, err := r.plane.Metrics(ctx, r.plane.URL()+"/metrics", controlplane.Admin)
	if err != nil {
		return 0, err
	}
	sum, _ := metrics.Sum("apiserver_terminated_watchers_total") // there is none before the first
	return int(sum), nil
}
