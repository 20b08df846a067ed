package main

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// The names that are used below the lists, too.
const (
	cordoned = "node-c2"
	gatedPod = "report"
	whale    = "whale"
)

// sample is a pod and what should become of it.
type sample struct {
	pod  *corev1.Pod
	want outcome
}

// sampleNodes returns three zones of small, middle and odd nodes.
func sampleNodes() []*corev1.Node {
	node := func(name, zone, cpu, memory string, more ...object.NodeOption) *corev1.Node {
		options := []object.NodeOption{object.Zone(zone), object.CPU(cpu), object.Memory(memory)}
		return object.Node(name, append(options, more...)...)
	}
	return []*corev1.Node{
		node("node-a1", "a", "4", "8Gi"),
		node("node-a2", "a", "4", "8Gi"),
		node("node-b1", "b", "8", "16Gi"),
		node("node-b2", "b", "8", "16Gi"),
		node("node-c1", "c", "8", "32Gi", object.Taint("dedicated", "training", corev1.TaintEffectNoSchedule)),
		node(cordoned, "c", "32", "64Gi", object.Cordoned()),
	}
}

// samplePods returns the pods in the order in which they are created.
func samplePods() []sample {
	var pods []sample
	add := func(want outcome, name, cpu, memory string, more ...object.PodOption) {
		options := []object.PodOption{object.CPU(cpu), object.Memory(memory)}
		pods = append(pods, sample{object.Pod(name, append(options, more...)...), want})
	}
	for i := range 6 {
		add(bound, fmt.Sprintf("web-%d", i+1), "500m", "512Mi")
	}
	for i := range 3 {
		add(bound, fmt.Sprintf("batch-%d", i+1), "2500m", "3Gi")
	}
	add(bound, "training", "6", "24Gi", object.Tolerate("dedicated", "training", corev1.TaintEffectNoSchedule))
	add(bound, gatedPod, "1", "1Gi", object.Gate("example.com/quota"))
	add(refused, whale, "24", "4Gi") // only the cordoned node is large enough
	return pods
}

// whileGated returns what the pods should be before openGate.
func whileGated(pods []sample) []sample {
	pods = slices.Clone(pods)
	for i := range pods {
		if isGated(pods[i].pod) {
			pods[i].want = gated
		}
	}
	return pods
}

// openGate takes the gate off the pod that has one.
func openGate(ctx context.Context, client kubernetes.Interface) error {
	open := []byte(`[{"op": "remove", "path": "/spec/schedulingGates"}]`)
	_, err := client.CoreV1().Pods(metav1.NamespaceDefault).Patch(ctx, gatedPod, types.JSONPatchType, open, metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("cannot open the gate of pod %s: %w", gatedPod, err)
	}
	return nil
}

func isGated(pod *corev1.Pod) bool { return len(pod.Spec.SchedulingGates) > 0 }

// hints says what to do now.
func hints(kubeconfig string) string {
	kubectl := "  kubectl --kubeconfig " + kubeconfig
	return fmt.Sprintf(`
Further decisions show up here, until Ctrl-C. To look around, in this folder and another terminal:
%[1]s get pods -o wide
%[1]s describe pod %[2]s
To cause a decision, add a pod, or open the node that %[2]s waits for:
%[1]s run hello --image=any
%[1]s uncordon %[3]s

`, kubectl, whale, cordoned)
}
