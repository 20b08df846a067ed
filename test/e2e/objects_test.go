package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

func reasonOf(p *corev1.Pod) string {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodScheduled {
			return c.Reason
		}
	}
	return ""
}

// eventsOf returns the events about some pods.
func eventsOf(t *testing.T, ctx context.Context, client kubernetes.Interface, pods ...string) []eventsv1.Event {
	t.Helper()
	list, err := client.EventsV1().Events("default").List(ctx, metav1.ListOptions{})
	must(t, err)
	return slices.DeleteFunc(list.Items, func(e eventsv1.Event) bool { return !slices.Contains(pods, e.Regarding.Name) })
}

func setAllocatable(ctx context.Context, client kubernetes.Interface, node, cpu string) error {
	patch := fmt.Sprintf(`{"status":{"allocatable":{"cpu":%q}}}`, cpu)
	_, err := client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	return err
}

func patchStatus(ctx context.Context, client kubernetes.Interface, pod, patch string) error {
	_, err := client.CoreV1().Pods("default").Patch(ctx, pod, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	return err
}

func finish(t *testing.T, ctx context.Context, client kubernetes.Interface, pod string) {
	t.Helper()
	must(t, patchStatus(ctx, client, pod, `{"status":{"phase":"Succeeded"}}`))
}

// checkRoomOfLive is checkRoom without the pods that have finished.
func checkRoomOfLive(t *testing.T, ctx context.Context, client kubernetes.Interface) {
	t.Helper()
	pods, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Succeeded"})
	must(t, err)
	for i := range pods.Items {
		must(t, client.CoreV1().Pods("default").Delete(ctx, pods.Items[i].Name, *metav1.NewDeleteOptions(0)))
	}
	checkRoom(t, ctx, client)
}
