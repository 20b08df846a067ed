package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// parked is a pod that one plugin keeps waiting, what cannot help it, and what does.
type parked struct {
	plugin  string
	pod     *corev1.Pod
	reason  string // in its message
	useless func(context.Context, kubernetes.Interface) error
	helps   func(context.Context, kubernetes.Interface) error
}

// Each pod here is parked by one plugin. The event that helps it places it within 3s
// plus its backoff; the one that does not must not even cause an attempt.
func TestParkedPodIsWokenByWhatHelpsItAndByNothingElse(t *testing.T) {
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 3*time.Minute)
	client := c.Client(controlplane.Admin)
	startBinary(t, c)
	for _, p := range parkedPods() {
		t.Run(p.plugin, func(t *testing.T) { checkParked(t, ctx, c, client, p) })
	}
}

func checkParked(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, client kubernetes.Interface, p parked) {
	name := p.pod.Name
	must(t, c.CreateNodes(ctx,
		object.Node(name+"-n", object.CPU("2"), object.Memory("4Gi"), object.Label("for", name), object.Taint("for", name, corev1.TaintEffectNoSchedule))))
	p.pod.Spec.Tolerations = append(p.pod.Spec.Tolerations, corev1.Toleration{Key: "for", Value: name, Effect: corev1.TaintEffectNoSchedule})
	if p.plugin != "NodeAffinity" {
		p.pod.Spec.NodeSelector = map[string]string{"for": name}
	}
	must(t, prepare(ctx, client, name))
	must(t, c.CreatePods(ctx, p.pod))
	cond, err := c.WaitReason(ctx, "default", name, corev1.PodReasonUnschedulable)
	must(t, err)
	if !strings.Contains(cond.Message, p.reason) {
		t.Errorf("message = %q, want %q in it", cond.Message, p.reason)
	}
	before := attemptsOf(t, ctx, client, name)
	must(t, p.useless(ctx, client))
	must(t, p.helps(ctx, client))
	start := time.Now()
	_, err = c.WaitBound(ctx, "default", name)
	must(t, err)
	if took := time.Since(start); took > 6*time.Second {
		t.Errorf("placed %v after the event that helps, want within 3s and a backoff", took)
	}
	if after := attemptsOf(t, ctx, client, name); after != before {
		t.Errorf("%d failed attempts after an event that cannot help, want %d", after, before)
	}
}

// prepare puts on a case's node what its pod must not fit beside.
func prepare(ctx context.Context, client kubernetes.Interface, name string) error {
	switch name {
	case "fit", "fit-pod", "fit-resize":
		pod := object.Pod(name+"-wall", object.CPU("1500m"), object.OnNode(name+"-n"), object.Grace(0))
		_, err := client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{})
		return err
	case "ports":
		pod := object.Pod("ports-wall", object.HostPort(8080, corev1.ProtocolTCP), object.OnNode("ports-n"), object.Grace(0))
		_, err := client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{})
		return err
	case "cordon":
		return patchNode(ctx, client, "cordon-n", `{"spec":{"unschedulable":true}}`)
	case "taint":
		return patchNode(ctx, client, "taint-n", `{"spec":{"taints":[{"key":"for","value":"taint","effect":"NoSchedule"},{"key":"x","effect":"NoSchedule"}]}}`)
	}
	return nil
}

func parkedPods() []parked {
	label := func(node, key, value string) func(context.Context, kubernetes.Interface) error {
		return func(ctx context.Context, client kubernetes.Interface) error {
			return patchNode(ctx, client, node, fmt.Sprintf(`{"metadata":{"labels":{%q:%q}}}`, key, value))
		}
	}
	remove := func(pod string) func(context.Context, kubernetes.Interface) error {
		return func(ctx context.Context, client kubernetes.Interface) error {
			return client.CoreV1().Pods("default").Delete(ctx, pod, *metav1.NewDeleteOptions(0))
		}
	}
	grow := func(node, cpu string) func(context.Context, kubernetes.Interface) error {
		return func(ctx context.Context, client kubernetes.Interface) error {
			return setAllocatable(ctx, client, node, cpu)
		}
	}
	patch := func(node, body string) func(context.Context, kubernetes.Interface) error {
		return func(ctx context.Context, client kubernetes.Interface) error {
			return patchNode(ctx, client, node, body)
		}
	}
	return []parked{
		{"NodeUnschedulable", object.Pod("cordon"), "unschedulable", label("cordon-n", "a", "b"), patch("cordon-n", `{"spec":{"unschedulable":false}}`)},
		{"TaintToleration", object.Pod("taint"), "taint", label("taint-n", "a", "b"),
			patch("taint-n", `{"spec":{"taints":[{"key":"for","value":"taint","effect":"NoSchedule"}]}}`)},
		{"NodeAffinity", object.Pod("select", object.NodeSelector("disk", "ssd")), "selector", label("select-n", "disk", "hdd"), label("select-n", "disk", "ssd")},
		{"NodePorts", object.Pod("ports", object.HostPort(8080, corev1.ProtocolTCP)), "ports", label("ports-n", "a", "b"), remove("ports-wall")},
		{"NodeResourcesFit", object.Pod("fit", object.CPU("1")), "cpu", label("fit-n", "a", "b"), grow("fit-n", "3")},
		{"NodeResourcesFit by a pod", object.Pod("fit-pod", object.CPU("1")), "cpu", label("fit-pod-n", "a", "b"), remove("fit-pod-wall")},
	}
}

func patchNode(ctx context.Context, client kubernetes.Interface, node, body string) error {
	_, err := client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(body), metav1.PatchOptions{})
	return err
}

// attemptsOf counts the failed attempts that a pod's events tell of.
func attemptsOf(t *testing.T, ctx context.Context, client kubernetes.Interface, pod string) int {
	t.Helper()
	n := 0
	for _, e := range eventsOf(t, ctx, client, pod) {
		if e.Reason != "FailedScheduling" {
			continue
		}
		if n++; e.Series != nil {
			n += int(e.Series.Count) - 1
		}
	}
	return n
}
