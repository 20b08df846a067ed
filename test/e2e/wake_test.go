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

// change is something that happens to the cluster of a case.
type change func(context.Context, kubernetes.Interface) error

// parked is a pod that one plugin keeps waiting, alone on a cluster of one node, and the
// event that helps it.
type parked struct {
	plugin string
	event  string
	reason string // in its message; "" when it is never tried

	node  []object.NodeOption
	wall  *corev1.Pod // what is on the node before, nil for nothing
	pod   []object.PodOption
	helps change
}

// Each pod here is parked by one plugin. The event that helps it places it within 3s
// plus its backoff; all others do not even cause an attempt.
func TestParkedPodIsWokenByWhatHelpsItAndByNothingElse(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 5*time.Minute)
	for _, p := range parkedPods() {
		t.Run(p.plugin+" "+p.event, func(t *testing.T) { checkParked(t, ctx, c, p) })
	}
}

// checkParked has a scheduler for each pod, so that it knows nothing of earlier ones.
func checkParked(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, p parked) {
	client := c.Client(controlplane.Admin)
	t.Cleanup(func() { wipe(t, ctx, client) })
	must(t, c.CreateNodes(ctx, object.Node("n", append(roomy(), p.node...)...)))
	if p.wall != nil {
		must(t, c.CreatePods(ctx, p.wall))
	}
	startBinary(t, c, "--leader-elect=false")
	must(t, c.CreatePods(ctx, object.Pod("parked", p.pod...)))
	want, failures := corev1.PodReasonUnschedulable, 1
	if p.reason == "" {
		want, failures = corev1.PodReasonSchedulingGated, 0
	}
	cond, err := c.WaitReason(ctx, "default", "parked", want)
	must(t, err)
	if alone := "0/1 nodes are available: 1 " + p.reason; p.reason != "" && !strings.HasPrefix(cond.Message, alone) {
		t.Errorf("message = %q, want %q, as nothing else may keep the pod waiting", cond.Message, alone)
	}
	for _, d := range disturbances() {
		if !strings.Contains(d.wakes, p.plugin) {
			must(t, d.do(ctx, client))
		}
	}
	settle(t, ctx, c, client)

	must(t, p.helps(ctx, client))
	start := time.Now()
	_, err = c.WaitBound(ctx, "default", "parked")
	must(t, err)
	if took := time.Since(start); took > 6*time.Second {
		t.Errorf("placed %v after the event that helps, want within 3s and a backoff", took)
	}
	if n := failedAttempts(t, ctx, c, client, "parked"); n != failures {
		t.Errorf("%d failed attempts with events that cannot help, want %d", n, failures)
	}
}

// settle waits until the scheduler has seen all that has happened, of nodes and of pods:
// it does something that needs the last of both.
func settle(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, client kubernetes.Interface) {
	t.Helper()
	must(t, patchNode(ctx, client, "n", `{"metadata":{"labels":{"settled":"yes"}}}`))
	must(t, c.CreatePods(ctx, object.Pod("last", object.NodeSelector("settled", "yes"), object.Grace(0), object.PodFunc(func(p *corev1.Pod) {
		p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	}))))
	_, err := c.WaitBound(ctx, "default", "last")
	must(t, err)
}

// wipe deletes all nodes and pods.
func wipe(t *testing.T, ctx context.Context, client kubernetes.Interface) {
	t.Helper()
	now, everything := *metav1.NewDeleteOptions(0), metav1.ListOptions{}
	must(t, client.CoreV1().Pods("default").DeleteCollection(ctx, now, everything))
	must(t, client.CoreV1().Nodes().DeleteCollection(ctx, now, everything))
	must(t, client.EventsV1().Events("default").DeleteCollection(ctx, now, everything))
}

func patchNode(ctx context.Context, client kubernetes.Interface, node, body string) error {
	_, err := client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(body), metav1.PatchOptions{})
	return err
}

// failedAttempts counts a placed pod's failed attempts, once its events tell of the
// placement: a pod's events are written in their order.
func failedAttempts(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, client kubernetes.Interface, pod string) int {
	t.Helper()
	must(t, c.WaitFor(ctx, "the Scheduled event of "+pod, func(ctx context.Context) error {
		if n := scheduledEvents(t, ctx, client)[pod]; n != 1 {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	}))
	return attemptsOf(t, ctx, client, pod)
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
