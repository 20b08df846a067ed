package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// started is a control plane with the scheduler running on it, and an admin.
func started(t *testing.T, limit time.Duration) (context.Context, *controlplane.ControlPlane, kubernetes.Interface) {
	t.Helper()
	c := controlplane.Start(t, controlplane.Options{})
	startBinary(t, c)
	return within(t, limit), c, c.Client(controlplane.Admin)
}

// Sidecars run beside the containers and beside the init containers after them; their
// order counts, and overhead comes on top (case B03).
func TestSidecarsCountByTheirPlaceAmongInitContainers(t *testing.T) {
	t.Parallel()
	ctx, c, client := started(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("2"))))
	always := corev1.ContainerRestartPolicyAlways
	starts := func(name string, first, second corev1.Container) *corev1.Pod {
		return object.Pod(name, object.CPU("1"), object.Grace(0), object.PodFunc(func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{first, second} }))
	}
	asking := func(name, cpu string, restart *corev1.ContainerRestartPolicy) corev1.Container {
		return corev1.Container{Name: name, Image: "x", RestartPolicy: restart,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}}
	}
	lacksCPU := func(name string) {
		t.Helper()
		cond, err := c.WaitReason(ctx, "default", name, corev1.PodReasonUnschedulable)
		must(t, err)
		if want := "0/1 nodes are available: 1 Insufficient cpu."; !strings.HasPrefix(cond.Message, want) {
			t.Errorf("%s waits as %q, want %q", name, cond.Message, want)
		}
	}
	side, plain := asking("side", "600m", &always), asking("init", "1500m", nil)
	must(t, c.CreatePods(ctx, starts("a", side, plain))) // 600m + 1500m
	lacksCPU("a")
	must(t, c.CreatePods(ctx, starts("b", plain, side))) // max(1500m, 1000m + 600m)
	_, err := c.WaitBound(ctx, "default", "b")
	must(t, err)

	must(t, deleted("b")(ctx, client))
	heavy := starts("heavy", plain, side) // 1600m + 500m
	must(t, withOverhead(ctx, client, heavy, "500m"))
	must(t, c.WaitFor(ctx, "the class to be known", func(ctx context.Context) error { return c.CreatePods(ctx, heavy) }))
	lacksCPU("heavy")
}

// withOverhead gives a pod a runtime class of its own, which costs so much CPU.
func withOverhead(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, cpu string) error {
	pod.Spec.RuntimeClassName = &pod.Name
	_, err := client.NodeV1().RuntimeClasses().Create(ctx, &nodev1.RuntimeClass{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name}, Handler: "x",
		Overhead: &nodev1.Overhead{PodFixed: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}},
	}, metav1.CreateOptions{})
	return err
}

// Host ports conflict by address, protocol and number (case B04).
func TestHostPortsConflictByAddressProtocolAndNumber(t *testing.T) {
	t.Parallel()
	ctx, c, client := started(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("8"))))
	port := func(name, ip string, protocol corev1.Protocol, options ...object.PodOption) *corev1.Pod {
		return object.Pod(name, append(options, object.Grace(0), object.PodFunc(func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 8080, HostIP: ip, Protocol: protocol}}
		}))...)
	}
	network := object.Pod("c5", object.Grace(0), object.PodFunc(func(p *corev1.Pod) {
		p.Spec.HostNetwork = true
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8080}}
	}))
	must(t, c.CreatePods(ctx, port("b1", "10.1.1.1", corev1.ProtocolTCP, object.OnNode("n1"))))
	for _, p := range []*corev1.Pod{port("c1", "10.1.1.2", corev1.ProtocolTCP), port("c2", "10.1.1.1", corev1.ProtocolUDP)} {
		must(t, c.CreatePods(ctx, p))
		_, err := c.WaitBound(ctx, "default", p.Name)
		must(t, err)
	}
	rivals := []string{"c3", "c4", "c5"}
	for _, p := range []*corev1.Pod{port("c3", "", corev1.ProtocolTCP), port("c4", "10.1.1.1", corev1.ProtocolTCP), network} {
		must(t, c.CreatePods(ctx, p))
		cond, err := c.WaitReason(ctx, "default", p.Name, corev1.PodReasonUnschedulable)
		must(t, err)
		if !strings.Contains(cond.Message, "node(s) didn't have free ports for the requested pod ports") {
			t.Errorf("%s: message = %q", p.Name, cond.Message)
		}
	}
	for _, name := range []string{"b1", "c1"} {
		must(t, client.CoreV1().Pods("default").Delete(ctx, name, *metav1.NewDeleteOptions(0)))
	}
	must(t, c.WaitFor(ctx, "one of the rivals to be bound", func(ctx context.Context) error {
		if n := boundOf(ctx, client, rivals); n != 1 {
			return fmt.Errorf("%d are bound", n)
		}
		return nil
	}))
	must(t, c.CreatePods(ctx, object.Pod("witness"))) // all that could be decided before it was
	_, err := c.WaitBound(ctx, "default", "witness")
	must(t, err)
	if n := boundOf(ctx, client, rivals); n != 1 {
		t.Errorf("%d of the rivals are bound, want one", n)
	}
}

func boundOf(ctx context.Context, client kubernetes.Interface, names []string) (n int) {
	list, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName!="})
	if err != nil {
		return -1
	}
	for i := range list.Items {
		if slices.Contains(names, list.Items[i].Name) {
			n++
		}
	}
	return n
}

// A pod whose last gate goes is tried at once, and its condition keeps a transition time
// (case B09).
func TestUngatedPodIsTriedAtOnce(t *testing.T) {
	t.Parallel()
	ctx, c, client := started(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"))))
	must(t, c.CreatePods(ctx, object.Pod("g", object.CPU("2"), object.Gate("t/a"), object.Gate("t/b"))))
	gates := func(body string) {
		t.Helper()
		_, err := client.CoreV1().Pods("default").Patch(ctx, "g", types.MergePatchType, []byte(body), metav1.PatchOptions{})
		must(t, err)
	}
	gates(`{"spec":{"schedulingGates":[{"name":"t/b"}]}}`)
	must(t, c.CreatePods(ctx, object.Pod("other", object.CPU("100m")))) // an attempt that comes after
	_, err := c.WaitBound(ctx, "default", "other")
	must(t, err)
	pod, err := client.CoreV1().Pods("default").Get(ctx, "g", metav1.GetOptions{})
	must(t, err)
	if reasonOf(pod) != "SchedulingGated" || len(eventsOf(t, ctx, client, "g")) > 0 {
		t.Errorf("with one gate left the reason is %q and there are %d events", reasonOf(pod), len(eventsOf(t, ctx, client, "g")))
	}
	gates(`{"spec":{"schedulingGates":null}}`)
	began := time.Now()
	cond, err := c.WaitReason(ctx, "default", "g", corev1.PodReasonUnschedulable)
	must(t, err)
	if took := time.Since(began); took > 3*time.Second || cond.LastTransitionTime.IsZero() || !strings.HasPrefix(cond.Message, "0/1 nodes are available: 1 Insufficient cpu") {
		t.Errorf("after %v the condition is %+v", took, cond)
	}
	must(t, setAllocatable(ctx, client, "n1", "4"))
	_, err = c.WaitBound(ctx, "default", "g")
	must(t, err)
}

// The only pod of a quiet cluster needs no second push, whenever the event comes (case
// B11).
func TestOnlyPodOfAQuietClusterIsWoken(t *testing.T) {
	t.Parallel()
	ctx, c, client := started(t, 2*time.Minute)
	for i := range 20 {
		node, name := fmt.Sprint("n", i), fmt.Sprint("p", i)
		must(t, c.CreateNodes(ctx, object.Node(node, object.CPU("1"), object.Label("for", name), object.Taint("t", "1", corev1.TaintEffectNoSchedule))))
		must(t, c.CreatePods(ctx, object.Pod(name, object.NodeSelector("for", name))))
		if i%2 == 0 { // else the event comes while the pod is tried
			_, err := c.WaitReason(ctx, "default", name, corev1.PodReasonUnschedulable)
			must(t, err)
		}
		if i%6 == 0 { // its backoff is over, and nothing happens any more
			<-time.After(1500 * time.Millisecond)
		}
		must(t, patchNode(ctx, client, node, `{"spec":{"taints":null}}`))
		_, err := c.WaitBound(ctx, "default", name)
		must(t, err)
	}
}

// Heartbeats and changes that cannot help cause no attempt (case B13).
func TestIrrelevantUpdatesCauseNoAttempt(t *testing.T) {
	t.Parallel()
	ctx, c, client := started(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"), object.Memory("1Gi"))))
	must(t, c.CreatePods(ctx, object.Pod("a", object.CPU("2"))))
	_, err := c.WaitReason(ctx, "default", "a", corev1.PodReasonUnschedulable)
	must(t, err)
	for i := range 10 {
		beat := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T00:00:%02dZ"}]}}`, i)
		_, err := client.CoreV1().Nodes().Patch(ctx, "n1", types.StrategicMergePatchType, []byte(beat), metav1.PatchOptions{}, "status")
		must(t, err)
		must(t, patchNode(ctx, client, "n1", fmt.Sprintf(`{"metadata":{"labels":{"x":"%d"}}}`, i)))
		_, err = client.CoreV1().Nodes().Patch(ctx, "n1", types.MergePatchType,
			[]byte(fmt.Sprintf(`{"status":{"allocatable":{"memory":"%dGi"}}}`, 2+i)), metav1.PatchOptions{}, "status")
		must(t, err)
	}
	must(t, setAllocatable(ctx, client, "n1", "3"))
	_, err = c.WaitBound(ctx, "default", "a")
	must(t, err)
	if n := failedAttempts(t, ctx, c, client, "a"); n != 1 {
		t.Errorf("%d failed attempts, want the first one only", n)
	}
}

// What is on nodes counts before the first decision, whoever put it there; pods on nodes
// that are not there yet are kept for them.
func TestRestartBooksEverythingBeforeTheFirstDecision(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx, client := within(t, time.Minute), c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("4"))))
	must(t, c.CreatePods(ctx,
		object.Pod("mirror", object.CPU("2"), object.OnNode("n1"), object.Annotation("kubernetes.io/config.mirror", "x")),
		object.Pod("foreign", object.CPU("1"), object.OnNode("n1"), object.SchedulerName("else")),
		object.Pod("early", object.CPU("3"), object.OnNode("n9"))))
	var waiting []string
	for i := range 10 {
		waiting = append(waiting, fmt.Sprint("w", i))
		must(t, c.CreatePods(ctx, object.Pod(waiting[i], object.CPU("1"))))
	}
	startBinary(t, c)
	settled := func(bound int) {
		t.Helper()
		must(t, c.WaitFor(ctx, fmt.Sprintf("%d bound, the others refused", bound), func(ctx context.Context) error {
			if err := allTold(ctx, client, len(waiting)); err != nil {
				return err
			}
			if n := boundOf(ctx, client, waiting); n != bound {
				return fmt.Errorf("%d are bound", n)
			}
			return nil
		}))
	}
	settled(1)
	must(t, c.CreateNodes(ctx, object.Node("n9", object.CPU("4"))))
	settled(2)
	checkRoom(t, ctx, client)
}
