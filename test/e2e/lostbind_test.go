package e2e

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// The bind is applied, its answer is lost, and the watch is late: kube-scheduler puts
// two pods on the last room then.
func TestLostAnswerNeverPutsTwoPodsOnTheLastRoom(t *testing.T) {
	const nodes = 20
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, 2*time.Minute)
	client := c.Client(controlplane.Admin)
	var lost sync.Map
	first := func(path string) bool { _, again := lost.LoadOrStore(path, true); return !again }
	startInside(t, c, (&interceptor{dropAnswer: first, podLag: 2 * time.Second}).wrap)

	must(t, c.CreateNodes(ctx, many(nodes, func(i int) *corev1.Node {
		return object.Node(fmt.Sprintf("n%d", i), object.CPU("1"), object.Memory("1Gi"))
	})...))
	must(t, c.CreatePods(ctx, many(2*nodes, func(i int) *corev1.Pod {
		return object.Pod(fmt.Sprintf("p%d", i), object.CPU("1"))
	})...))
	must(t, c.WaitFor(ctx, "one pod on each node, the others refused", func(ctx context.Context) error {
		checkRoom(t, ctx, client)
		return errors.Join(allBoundAndTold(ctx, client, nodes), allTold(ctx, client, 2*nodes))
	}))
	checkRoom(t, ctx, client)
	waitWrites(t, c, fmt.Sprintf("%d bindings that were taken", nodes), func(writes map[string]int) bool {
		return writes["create pods/binding 201"] == nodes
	})
}

// allTold returns nil once every pod is on a node or has the condition that says why not.
func allTold(ctx context.Context, client kubernetes.Interface, want int) error {
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	told := 0
	for i := range pods.Items {
		for _, cond := range pods.Items[i].Status.Conditions {
			if cond.Type == corev1.PodScheduled {
				told++
			}
		}
	}
	if told < want {
		return fmt.Errorf("%d of %d pods are placed or refused", told, want)
	}
	return nil
}

// Somebody else binds the pod between our decision and our bind: the conflict tells
// where the pod is, and it counts there before anything else is decided.
func TestPodBoundByAnotherWhileWeDecideIsAdopted(t *testing.T) {
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	var once sync.Once
	i := &interceptor{podLag: 3 * time.Second}
	i.beforeBind = func(string) {
		once.Do(func() {
			err := client.CoreV1().Pods("default").Bind(ctx, &corev1.Binding{
				ObjectMeta: metav1.ObjectMeta{Name: "a"}, Target: corev1.ObjectReference{Kind: "Node", Name: "small"},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Errorf("cannot bind before the scheduler does: %v", err)
			}
		})
	}
	startInside(t, c, i.wrap)
	// The big node is chosen for a; a lands on the small one, so b has room on the big one only.
	must(t, c.CreateNodes(ctx, object.Node("big", object.CPU("4")), object.Node("small", object.CPU("1"))))
	must(t, c.CreatePods(ctx, object.Pod("a", object.CPU("1"))))
	node, err := c.WaitBound(ctx, "default", "a")
	must(t, err)
	if node != "small" {
		t.Errorf("a is on %s, want small, where somebody else put it", node)
	}
	must(t, c.CreatePods(ctx, object.Pod("b", object.CPU("4"))))
	node, err = c.WaitBound(ctx, "default", "b")
	must(t, err)
	if node != "big" {
		t.Errorf("b is on %s, want big", node)
	}
	checkRoom(t, ctx, client)
	if events := scheduledEvents(t, ctx, client); events["a"] != 0 || events["b"] > 1 {
		t.Errorf("Scheduled events = %v, want none for a and one for b", events)
	}
}

func scheduledEvents(t *testing.T, ctx context.Context, client kubernetes.Interface) map[string]int {
	t.Helper()
	list, err := client.EventsV1().Events(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	must(t, err)
	n := map[string]int{}
	for i := range list.Items {
		if list.Items[i].Reason == "Scheduled" {
			n[list.Items[i].Regarding.Name]++
		}
	}
	return n
}
