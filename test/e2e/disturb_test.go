package e2e

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// disturbance is something that happens on the node and helps no parked pod.
type disturbance struct {
	wakes string // plugins that take it for what may help their pods all the same
	do    change
}

// disturbances are what goes on on a node: each kind of event that is told of nodes and
// pods.
func disturbances() []disturbance {
	list := []disturbance{
		{"", patchOf("n", `{"metadata":{"annotations":{"a":"b"}}}`)},
		{"", patchOf("n", `{"metadata":{"labels":{"a":"b"}}}`)},
		{"", nodeStatus(`{"status":{"allocatable":{"memory":"5Gi"}}}`)}, // which nobody lacks
		{"InterPodAffinity", patchPod("parked", `{"metadata":{"labels":{"a":"b"},"annotations":{"a":"b"}}}`)},
		{"PodTopologySpread", softTaint},
		{"", patchNamespace("kube-system", `{"metadata":{"labels":{"a":"b"}}}`)},
		{"NodeUnschedulable", cordonForAMoment},
		{"NodeDeclaredFeatures", nodeStatus(`{"status":{"declaredFeatures":["Another"]}}`)},
		{"NodeResourcesFit", pokes},
	}
	for i := range 3 {
		list = append(list, disturbance{"", nodeStatus(fmt.Sprintf(
			`{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T00:00:%02dZ"}]}}`, i))})
	}
	return append(list, disturbance{"", nodeStatus(`{"status":{"conditions":[{"type":"MemoryPressure","status":"True"}]}}`)})
}

// softTaint adds a taint that keeps nobody away.
func softTaint(ctx context.Context, client kubernetes.Interface) error {
	return changeNode(ctx, client, func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: "soft", Effect: corev1.TaintEffectPreferNoSchedule})
	})
}

func cordonForAMoment(ctx context.Context, client kubernetes.Interface) error {
	for _, closed := range []bool{true, false} {
		if err := changeNode(ctx, client, func(n *corev1.Node) { n.Spec.Unschedulable = closed }); err != nil {
			return err
		}
	}
	return nil
}

func patchNamespace(name, body string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		_, err := client.CoreV1().Namespaces().Patch(ctx, name, types.MergePatchType, []byte(body), metav1.PatchOptions{})
		return err
	}
}

func changeNode(ctx context.Context, client kubernetes.Interface, how func(*corev1.Node)) error {
	n, err := client.CoreV1().Nodes().Get(ctx, "n", metav1.GetOptions{})
	if err != nil {
		return err
	}
	how(n)
	_, err = client.CoreV1().Nodes().Update(ctx, n, metav1.UpdateOptions{})
	return err
}

// pokes is a pod on the node that comes, changes and goes, and has nothing that anybody
// waits for.
func pokes(ctx context.Context, client kubernetes.Interface) error {
	pod := object.Pod("poke", object.OnNode("n"), object.Grace(0), object.HostPort(9090, corev1.ProtocolTCP))
	if _, err := client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := patchPod("poke", `{"metadata":{"labels":{"a":"b"}}}`)(ctx, client); err != nil {
		return err
	}
	return deleted("poke")(ctx, client)
}
