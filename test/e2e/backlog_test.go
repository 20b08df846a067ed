package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestBacklogIsBoundOnceAndNothingElseIsWritten(t *testing.T) {
	const nodes, pods = 1000, 5000
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, 5*time.Minute)
	must(t, c.CreateNodes(ctx, many(nodes, func(i int) *corev1.Node {
		return object.Node(fmt.Sprintf("n%d", i), object.CPU("1"), object.Memory("4Gi"), object.Pods("10"))
	})...))
	must(t, c.CreatePods(ctx, many(pods, func(i int) *corev1.Pod {
		return object.Pod(fmt.Sprintf("p%d", i), object.CPU("200m"), object.Memory("100Mi"))
	})...))
	startBinary(t, c)

	client := c.Client(controlplane.Admin)
	must(t, c.WaitFor(ctx, "all pods bound and told", func(ctx context.Context) error {
		return allBoundAndTold(ctx, client, pods)
	}))
	checkRoom(t, ctx, client)
	waitWrites(t, c, fmt.Sprintf("%d bindings and %d events and nothing else", pods, pods), func(writes map[string]int) bool {
		return writes["create pods/binding 201"] == pods && writes["create events 201"] == pods && len(writes) == 2
	})
}

func many[T any](n int, make func(i int) T) []T {
	list := []T{}
	for i := range n {
		list = append(list, make(i))
	}
	return list
}

// allBoundAndTold returns nil once every pod has a node and exactly one Scheduled event.
func allBoundAndTold(ctx context.Context, client kubernetes.Interface, want int) error {
	list, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName!="})
	if err != nil || len(list.Items) < want {
		return fmt.Errorf("%d of %d pods are bound (%v)", len(list.Items), want, err)
	}
	events, err := client.EventsV1().Events(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	told := map[string]int{}
	for i := range events.Items {
		if e := &events.Items[i]; e.Reason == "Scheduled" && e.Note != "" {
			told[string(e.Regarding.UID)]++
		}
	}
	for i := range list.Items {
		if n := told[string(list.Items[i].UID)]; n != 1 {
			return fmt.Errorf("pod %s has %d Scheduled events, want 1", list.Items[i].Name, n)
		}
	}
	return nil
}

// checkRoom fails the test if a node holds more than it offers.
func checkRoom(t *testing.T, ctx context.Context, client kubernetes.Interface) {
	t.Helper()
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	must(t, err)
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	must(t, err)
	free := map[string]corev1.ResourceList{}
	for i := range nodes.Items {
		free[nodes.Items[i].Name] = nodes.Items[i].Status.Allocatable.DeepCopy()
	}
	for i := range pods.Items {
		left, onNode := free[pods.Items[i].Spec.NodeName]
		if !onNode {
			continue
		}
		for _, container := range pods.Items[i].Spec.Containers {
			for name, amount := range container.Resources.Requests {
				q := left[name]
				q.Sub(amount)
				left[name] = q
			}
		}
	}
	for node, left := range free {
		for name, q := range left {
			if q.Sign() < 0 {
				t.Errorf("node %s is %s short of %s", node, q.String(), name)
			}
		}
	}
}
