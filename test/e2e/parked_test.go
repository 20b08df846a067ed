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

// roomy is what the nodes of these cases are like.
func roomy() []object.NodeOption {
	return []object.NodeOption{object.CPU("2"), object.Memory("4Gi")}
}

// parkedPods has, for each plugin that can keep a pod of the API waiting, what may help.
// NodeName is none of them: a pod that names a node is bound.
func parkedPods() []parked {
	tainted := []object.NodeOption{object.Taint("x", "y", corev1.TaintEffectNoSchedule)}
	ssd := []object.PodOption{object.NodeSelector("disk", "ssd")}
	port := []object.PodOption{object.HostPort(8080, corev1.ProtocolTCP)}
	large := []object.PodOption{object.CPU("1")}
	holder := object.Pod("wall", object.HostPort(8080, corev1.ProtocolTCP), object.OnNode("n"), object.Grace(0))
	eater := object.Pod("wall", object.CPU("1500m"), object.OnNode("n"), object.Grace(0), object.PodFunc(resizable))
	return []parked{
		{"SchedulingGates", "gate removed", "", nil, nil, []object.PodOption{object.Gate("t/a")}, patchPod("parked", `{"spec":{"schedulingGates":null}}`)},

		{"NodeUnschedulable", "uncordoned", "node(s) were unschedulable", []object.NodeOption{object.Cordoned()}, nil, nil, patchOf("n", `{"spec":{"unschedulable":false}}`)},
		{"NodeUnschedulable", "node added", "node(s) were unschedulable", []object.NodeOption{object.Cordoned()}, nil, nil, newNode()},

		{"TaintToleration", "taint changed", "node(s) had untolerated taint(s)", tainted, nil, nil, patchOf("n", `{"spec":{"taints":[{"key":"x","effect":"PreferNoSchedule"}]}}`)},
		{"TaintToleration", "toleration added", "node(s) had untolerated taint(s)", tainted, nil, nil, patchPod("parked", `{"spec":{"tolerations":[{"key":"x","operator":"Exists"}]}}`)},
		{"TaintToleration", "node added", "node(s) had untolerated taint(s)", tainted, nil, nil, newNode()},

		{"NodeAffinity", "label changed", "node(s) didn't match Pod's node affinity/selector", nil, nil, ssd, patchOf("n", `{"metadata":{"labels":{"disk":"ssd"}}}`)},
		{"NodeAffinity", "node added", "node(s) didn't match Pod's node affinity/selector", nil, nil, ssd, newNode(object.Label("disk", "ssd"))},

		{"NodePorts", "host port freed", "node(s) didn't have free ports", nil, holder, port, deleted("wall")},
		{"NodePorts", "node added", "node(s) didn't have free ports", nil, holder, port, newNode()},

		{"NodeResourcesFit", "allocatable raised", "Insufficient cpu", nil, eater, large, nodeStatus(`{"status":{"allocatable":{"cpu":"3"}}}`)},
		{"NodeResourcesFit", "pod gone", "Insufficient cpu", nil, eater, large, deleted("wall")},
		{"NodeResourcesFit", "pod finished", "Insufficient cpu", nil, eater, large, finished("wall")},
		{"NodeResourcesFit", "pod shrunk", "Insufficient cpu", nil, eater, large, shrunk("wall", "500m")},
		{"NodeResourcesFit", "node added", "Insufficient cpu", nil, eater, large, newNode()},

		{"NodeDeclaredFeatures", "declared features changed", "node(s) didn't match Pod's required features", nil, nil, restarter(), nodeStatus(`{"status":{"declaredFeatures":["` + restartFeature + `"]}}`)},
		{"NodeDeclaredFeatures", "node added", "node(s) didn't match Pod's required features", nil, nil, restarter(), newNode(object.NodeFunc(func(n *corev1.Node) {
			n.Status.DeclaredFeatures = []string{restartFeature}
		}))},
	}
}

const restartFeature = "RestartAllContainersOnContainerExits"

// restarter needs a feature of its node.
func restarter() []object.PodOption {
	return []object.PodOption{object.PodFunc(func(p *corev1.Pod) {
		never := corev1.ContainerRestartPolicyNever
		p.Spec.Containers[0].RestartPolicy = &never
		p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{
			Action:    corev1.ContainerRestartRuleActionRestartAllContainers,
			ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: corev1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{42}},
		}}
	})}
}

func patchOf(node, body string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		return patchNode(ctx, client, node, body)
	}
}

func nodeStatus(body string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		_, err := client.CoreV1().Nodes().Patch(ctx, "n", types.StrategicMergePatchType, []byte(body), metav1.PatchOptions{}, "status")
		return err
	}
}

func patchPod(pod, body string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		_, err := client.CoreV1().Pods("default").Patch(ctx, pod, types.MergePatchType, []byte(body), metav1.PatchOptions{})
		return err
	}
}

func newNode(options ...object.NodeOption) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		_, err := client.CoreV1().Nodes().Create(ctx, object.Node("new", append(roomy(), options...)...), metav1.CreateOptions{})
		return err
	}
}

func deleted(pod string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		return client.CoreV1().Pods("default").Delete(ctx, pod, *metav1.NewDeleteOptions(0))
	}
}

func finished(pod string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		return patchStatus(ctx, client, pod, `{"status":{"phase":"Succeeded"}}`)
	}
}

// shrunk is a resize in place: what is asked for goes down first, and what the node has
// set aside follows. The room is free after the second.
func shrunk(pod, cpu string) change {
	status := func(cpu string) string {
		return fmt.Sprintf(`{"status":{"phase":"Running","containerStatuses":[{"name":"c","image":"x","imageID":"x","ready":true,`+
			`"restartCount":0,"allocatedResources":{"cpu":%q},"resources":{"requests":{"cpu":%q}}}]}}`, cpu, cpu)
	}
	return func(ctx context.Context, client kubernetes.Interface) error {
		if err := patchStatus(ctx, client, pod, status("1500m")); err != nil {
			return err
		}
		body := fmt.Sprintf(`{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":%q}}}]}}`, cpu)
		if _, err := client.CoreV1().Pods("default").Patch(ctx, pod, types.StrategicMergePatchType, []byte(body), metav1.PatchOptions{}, "resize"); err != nil {
			return err
		}
		return patchStatus(ctx, client, pod, status(cpu))
	}
}
