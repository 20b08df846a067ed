package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestOnlyUnboundPodsOfOurNameArePlaced(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("4"))))
	must(t, c.CreatePods(ctx,
		object.Pod("fixed", object.CPU("1"), object.OnNode("n1")),
		object.Pod("foreign", object.CPU("1"), object.SchedulerName("somebody-else")),
		object.Pod("gated", object.CPU("1"), object.Gate("wait/here")),
	))
	startBinary(t, c)
	must(t, c.CreatePods(ctx, object.Pod("three", object.CPU("3"))))
	_, err := c.WaitBound(ctx, "default", "three") // with fixed, the node is full
	must(t, err)

	must(t, c.CreatePods(ctx, object.Pod("probe", object.CPU("1"))))
	_, err = c.WaitReason(ctx, "default", "probe", corev1.PodReasonUnschedulable)
	must(t, err)
	for name, reason := range map[string]string{"foreign": "", "gated": "SchedulingGated"} {
		pod, err := client.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{})
		must(t, err)
		if pod.Spec.NodeName != "" || reasonOf(pod) != reason {
			t.Errorf("pod %s is on %q with reason %q, want no node and reason %q", name, pod.Spec.NodeName, reasonOf(pod), reason)
		}
	}
	for _, e := range eventsOf(t, ctx, client, "fixed", "foreign", "gated") {
		t.Errorf("pod %s got an event it should not have: %s", e.Regarding.Name, e.Reason)
	}

	// A finished pod frees its room; the gate is gone: both happen without a push.
	finish(t, ctx, client, "three")
	_, err = c.WaitBound(ctx, "default", "probe")
	must(t, err)
	patch := []byte(`{"spec":{"schedulingGates":null}}`)
	_, err = client.CoreV1().Pods("default").Patch(ctx, "gated", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	must(t, err)
	_, err = c.WaitBound(ctx, "default", "gated")
	must(t, err)
	checkRoomOfLive(t, ctx, client)
}

func TestRefusedPodIsToldWhyOnce(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx,
		object.Node("full", object.CPU("2")),
		object.Node("closed", object.CPU("8"), object.Cordoned()),
		object.Node("tainted", object.CPU("8"), object.Taint("gpu", "yes", corev1.TaintEffectNoSchedule)),
	))
	must(t, c.CreatePods(ctx, object.Pod("wall", object.CPU("1"), object.OnNode("full"))))
	s := startBinary(t, c)
	must(t, c.CreatePods(ctx, object.Pod("a", object.CPU("2"))))
	cond, err := c.WaitReason(ctx, "default", "a", corev1.PodReasonUnschedulable)
	must(t, err)
	const want = "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable."
	if cond.Message != want || cond.Status != corev1.ConditionFalse || cond.ObservedGeneration != 1 || cond.LastTransitionTime.IsZero() {
		t.Errorf("condition = %+v, want the message %q, status False, generation 1 and a transition time", cond, want)
	}

	// Three more attempts end the same way: nothing is written but the event's series.
	for i := range 3 {
		must(t, setAllocatable(ctx, client, "full", fmt.Sprintf("%dm", 2001+i)))
		must(t, c.WaitFor(ctx, "another attempt", func(context.Context) error { return s.attempted(i + 2) }))
	}
	events := eventsOf(t, ctx, client, "a")
	if len(events) != 1 || events[0].Note != want || events[0].Action != "Scheduling" ||
		events[0].ReportingController != "default-scheduler" || events[0].Series == nil {
		t.Errorf("events = %+v, want one FailedScheduling that became a series", events)
	}
	waitWrites(t, c, "the condition once", func(writes map[string]int) bool { return writes["patch pods/status 200"] == 1 })
	must(t, setAllocatable(ctx, client, "full", "3"))
	_, err = c.WaitBound(ctx, "default", "a")
	must(t, err)
}

// What its status says is no input: a pod that runs by its phase, or is placed by its
// condition, and has no node is placed as any other.
func TestPhaseAndConditionsOfAPodWithoutANodeAreNoInput(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("2"))))
	must(t, c.CreatePods(ctx, object.Pod("running", object.CPU("1")), object.Pod("placed", object.CPU("1"))))
	must(t, patchStatus(ctx, client, "running", `{"status":{"phase":"Running"}}`))
	must(t, patchStatus(ctx, client, "placed", `{"status":{"conditions":[{"type":"PodScheduled","status":"True"}]}}`))
	startBinary(t, c)
	for _, name := range []string{"running", "placed"} {
		_, err := c.WaitBound(ctx, "default", name)
		must(t, err)
	}
	must(t, c.CreatePods(ctx, object.Pod("probe", object.CPU("1")))) // with both, the node is full
	_, err := c.WaitReason(ctx, "default", "probe", corev1.PodReasonUnschedulable)
	must(t, err)
}

// A resize counts at the larger of what is asked for and what the node has set aside,
// and one that the node cannot do at the latter alone (case B07).
func TestResizeUnderWayCountsAtItsLargest(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("4"), object.Memory("4Gi"))))
	must(t, c.CreatePods(ctx, object.Pod("r", object.CPU("1"), object.Memory("1Gi"), object.OnNode("n1"), object.PodFunc(resizable))))
	must(t, patchStatus(ctx, client, "r", `{"status":{"phase":"Running","containerStatuses":[{"name":"c","image":"x","imageID":"x","ready":true,`+
		`"restartCount":0,"allocatedResources":{"cpu":"1","memory":"1Gi"},"resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}`))
	_, err := client.CoreV1().Pods("default").Patch(ctx, "r", types.StrategicMergePatchType,
		[]byte(`{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"3"}}}]}}`), metav1.PatchOptions{}, "resize")
	must(t, err)
	startBinary(t, c)
	must(t, c.CreatePods(ctx, object.Pod("w", object.CPU("2"))))
	cond, err := c.WaitReason(ctx, "default", "w", corev1.PodReasonUnschedulable)
	must(t, err)
	if !strings.Contains(cond.Message, "1 Insufficient cpu") {
		t.Errorf("message = %q, want Insufficient cpu", cond.Message)
	}
	must(t, patchStatus(ctx, client, "r", `{"status":{"conditions":[{"type":"PodResizePending","status":"True","reason":"Infeasible"}]}}`))
	_, err = c.WaitBound(ctx, "default", "w")
	must(t, err)
}

func resizable(p *corev1.Pod) {
	p.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceCPU, RestartPolicy: corev1.NotRequired}}
}

// What no int64 holds is not nothing (case B01).
func TestGiganticRequestNeverFits(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("4"), object.Memory("8Gi"))))
	startBinary(t, c)
	must(t, c.CreatePods(ctx,
		object.Pod("decimal", memory("50E")), object.Pod("binary", memory("16Ei")),
		object.Pod("cpu", object.PodFunc(func(p *corev1.Pod) { request(p, corev1.ResourceCPU, "10P") }))))
	for name, want := range map[string]string{"decimal": "Insufficient memory", "binary": "Insufficient memory", "cpu": "Insufficient cpu"} {
		cond, err := c.WaitReason(ctx, "default", name, corev1.PodReasonUnschedulable)
		must(t, err)
		if !strings.Contains(cond.Message, want) {
			t.Errorf("pod %s: message = %q, want %s", name, cond.Message, want)
		}
	}
	// Two pods of the largest size on a node do not wrap its sum.
	must(t, c.CreatePods(ctx, object.Pod("huge1", object.OnNode("n1"), memory("9223372036854775807")),
		object.Pod("huge2", object.OnNode("n1"), memory("9223372036854775807"))))
	must(t, c.CreatePods(ctx, object.Pod("small", object.Memory("3Gi")))) // after both, so that it is seen after both
	_, err := c.WaitReason(ctx, "default", "small", corev1.PodReasonUnschedulable)
	must(t, err)
	must(t, c.CreatePods(ctx, object.Pod("ok", object.CPU("1"))))
	_, err = c.WaitBound(ctx, "default", "ok")
	must(t, err)
}

func memory(q string) object.PodOption {
	return object.PodFunc(func(p *corev1.Pod) { request(p, corev1.ResourceMemory, q) })
}

func request(p *corev1.Pod, name corev1.ResourceName, q string) {
	p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{name: resource.MustParse(q)}
}
