package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// A reason that is longer than an event may carry is cut there, and whole in the
// condition (case B67).
func TestLongReasonIsCutInTheEventOnly(t *testing.T) {
	t.Parallel()
	ctx, c, client := started(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"))))
	pods := refusedPods()
	pod := pods[slices.IndexFunc(pods, func(p *corev1.Pod) bool { return p.Name == "many-devices" })]
	must(t, c.CreatePods(ctx, pod))
	cond, err := c.WaitReason(ctx, "default", pod.Name, corev1.PodReasonUnschedulable)
	must(t, err)
	if !strings.HasPrefix(cond.Message, "0/1 nodes are available: ") || len(cond.Message) < 2000 || strings.Count(cond.Message, "Insufficient") != 60 {
		t.Errorf("the condition has %d bytes: %s", len(cond.Message), cond.Message)
	}
	must(t, c.WaitFor(ctx, "the event", func(ctx context.Context) error {
		if n := attemptsOf(t, ctx, client, pod.Name); n != 1 {
			return fmt.Errorf("events tell of %d attempts", n)
		}
		return nil
	}))
	e := eventsOf(t, ctx, client, pod.Name)[0]
	if cut := cond.Message[:1020] + " ..."; e.Note != cut || e.Type != corev1.EventTypeWarning || e.Action != "Scheduling" || e.ReportingController != "default-scheduler" {
		t.Errorf("the event is %+v, want a Warning with the first 1020 bytes and \" ...\"", e)
	}
}

// While a pod is being bound it is deleted, and another one of its name is made, which
// must go elsewhere. The bind is for the first one only (case B69).
func TestPodOfTheSameNameIsPlacedByItsOwnSpec(t *testing.T) {
	const rounds = 10
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	p := func(k string) *corev1.Pod {
		return object.Pod("p", object.CPU("1"), object.NodeSelector("k", k), object.Grace(0))
	}
	var armed atomic.Bool
	startInside(t, c, (&interceptor{beforeBind: func(path string) {
		if !strings.HasSuffix(path, "/p/binding") || !armed.CompareAndSwap(true, false) {
			return
		}
		if err := client.CoreV1().Pods("default").Delete(ctx, "p", *metav1.NewDeleteOptions(0)); err != nil {
			t.Errorf("cannot delete the pod that is being bound: %v", err)
		}
		if _, err := client.CoreV1().Pods("default").Create(ctx, p("2"), metav1.CreateOptions{}); err != nil {
			t.Errorf("cannot make another pod of that name: %v", err)
		}
	}}).wrap)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"), object.Label("k", "1")), object.Node("n2", object.CPU("1"), object.Label("k", "2"))))
	for round := range rounds {
		armed.Store(true)
		must(t, c.CreatePods(ctx, p("1")))
		node, err := c.WaitBound(ctx, "default", "p")
		must(t, err)
		if node != "n2" || armed.Load() {
			t.Errorf("round %d: the second p is on %s, want n2", round, node)
		}
		must(t, client.CoreV1().Pods("default").Delete(ctx, "p", *metav1.NewDeleteOptions(0)))
	}
	must(t, c.CreatePods(ctx, object.Pod("all", object.CPU("1"), object.NodeSelector("k", "1")))) // the room is free
	_, err := c.WaitBound(ctx, "default", "all")
	must(t, err)
	must(t, c.WaitFor(ctx, "an event for each p that was bound", func(ctx context.Context) error {
		if n := scheduledEvents(t, ctx, client)["p"]; n != rounds {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	}))
}

// A scheduler name that nobody serves: the pod is left alone until somebody binds it, and
// counts from then on. Events come from the profile that placed the pod (case B71).
func TestPodOfANameThatNobodyServesIsLeftAlone(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	kubeconfig, err := c.Kubeconfig(controlplane.Scheduler)
	must(t, err)
	file := filepath.Join(t.TempDir(), "config.yaml")
	must(t, os.WriteFile(file, fmt.Appendf(nil, `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: %s}
leaderElection: {leaderElect: false}
profiles: [{schedulerName: default-scheduler}, {schedulerName: s2}]
`, kubeconfig), 0o600))
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("2"))))
	must(t, c.CreatePods(ctx, object.Pod("a", object.SchedulerName("default-schedular"), object.CPU("2"))))
	s := startBinary(t, c, "--config="+file)
	must(t, c.CreatePods(ctx, object.Pod("b", object.SchedulerName("s2"))))
	_, err = c.WaitBound(ctx, "default", "b")
	must(t, err)
	must(t, c.WaitFor(ctx, "the event of b", func(ctx context.Context) error {
		if events := eventsOf(t, ctx, client, "b"); len(events) != 1 || events[0].ReportingController != "s2" {
			return fmt.Errorf("the events are %+v", events)
		}
		return nil
	}))
	a, err := client.CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
	must(t, err)
	if a.Spec.NodeName != "" || reasonOf(a) != "" {
		t.Errorf("a is on %q and its condition says %q, want neither", a.Spec.NodeName, reasonOf(a))
	}
	must(t, c.WaitFor(ctx, "the queue to be empty, whatever a waits for", func(context.Context) error {
		metrics, err := s.meter.read()
		if n, _ := metrics.Sum("scheduler_pending_pods"); err == nil && n != 0 {
			err = fmt.Errorf("%v pods are in it", n)
		}
		return err
	}))

	must(t, client.CoreV1().Pods("default").Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Target: corev1.ObjectReference{Kind: "Node", Name: "n1"},
	}, metav1.CreateOptions{}))
	must(t, c.CreatePods(ctx, object.Pod("c", object.CPU("1"))))
	cond, err := c.WaitReason(ctx, "default", "c", corev1.PodReasonUnschedulable)
	must(t, err)
	if !strings.Contains(cond.Message, "1 Insufficient cpu") {
		t.Errorf("message = %q, want Insufficient cpu, as a takes all", cond.Message)
	}
	if events := eventsOf(t, ctx, client, "a"); len(events) > 0 {
		t.Errorf("events about a pod that is none of ours: %+v", events)
	}
}
