package process

import (
	"context"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Both serve a cluster of their own, with the same in it.
func TestBothAtWork(t *testing.T) {
	us, them := startLive(t, ours), startLive(t, upstream)
	work(t, us)
	work(t, them)
	t.Run("endpoints", func(t *testing.T) { compareEndpoints(t, us, them) })
	t.Run("metrics", func(t *testing.T) { compareMetrics(t, us, them) })
	t.Run("counts", func(t *testing.T) { compareCounts(t, us, them) })
	t.Run("resources", func(t *testing.T) { comparePods(t, us, them) })
	t.Run("reset", func(t *testing.T) { compareReset(t, us, them) })
	t.Run("dump", func(t *testing.T) { compareDump(t, us, them) })
	t.Run("stop", func(t *testing.T) { compareStop(t, us, them) })
}

const placed = 40 // pods: enough for what is sampled to be seen

// work gives a scheduler some pods, and waits until it is done with them.
func work(t *testing.T, l *live) {
	t.Helper()
	ctx := within(t, time.Minute)
	must(t, l.CreateNodes(ctx, object.Node("n1", object.CPU("64"), object.Memory("64Gi")), object.Node("n2", object.CPU("64"), object.Memory("64Gi"))))
	for i := range placed {
		must(t, l.CreatePods(ctx, object.Pod(fmt.Sprint("fits-", i), object.CPU("100m"), object.Memory("64Mi"), object.PodFunc(limited))))
	}
	must(t, l.CreatePods(ctx, object.Pod("large", object.CPU("1000")), object.Pod("gated", object.Gate("example.com/later")),
		object.Pod("foreign", object.CPU("2"), object.SchedulerName("someone-else"))))
	for i := range placed {
		_, err := l.WaitBound(ctx, "default", fmt.Sprint("fits-", i))
		must(t, err)
	}
	_, err := l.WaitReason(ctx, "default", "large", corev1.PodReasonUnschedulable)
	must(t, err)
	must(t, l.Client(controlplane.Admin).CoreV1().Pods("default").Delete(ctx, "fits-0", *metav1.NewDeleteOptions(0)))
	must(t, l.WaitFor(ctx, "the deletion to be seen, and all to be counted", func(context.Context) error {
		m := metricsOf(t, l, "/metrics")
		size, _ := m.Sum("scheduler_cache_size", "type", "pods")
		bound, _ := m.Sum("scheduler_schedule_attempts_total", "result", "scheduled")
		if size != placed-1 || bound != placed {
			return fmt.Errorf("%v pods in the cache, %v scheduled", size, bound)
		}
		return nil
	}))
}

// limited sets limits as well.
func limited(p *corev1.Pod) {
	r := &p.Spec.Containers[0].Resources
	r.Limits = r.Requests
}

// compareReset resets all metrics. What has been counted starts again.
func compareReset(t *testing.T, us, them *live) {
	const counter = "scheduler_schedule_attempts_total"
	for _, l := range []*live{us, them} {
		a, err := l.get(request{method: "DELETE", path: "/metrics", user: operator})
		must(t, err)
		if a.code != 200 || a.body != "metrics reset\n" {
			t.Errorf("%s: DELETE /metrics: %d %s", l.program, a.code, a.body)
		}
		if n, found := metricsOf(t, l, "/metrics").Sum(counter); found {
			t.Errorf("%s: %s is %v after the reset", l.program, counter, n)
		}
	}
}

// compareDump asks for a dump, and compares the summary of the queue.
func compareDump(t *testing.T, us, them *live) {
	summary := regexp.MustCompile(`"Dump of scheduling queue" summary="([^"]*)"`)
	of := func(l *live) (found string) {
		l.process.Signal(syscall.SIGUSR2)
		must(t, l.WaitFor(within(t, 30*time.Second), "the dump", func(context.Context) error {
			text, err := os.ReadFile(l.process.Log)
			m := summary.FindStringSubmatch(string(text))
			if m == nil {
				return fmt.Errorf("not in the log yet (%v)", err)
			}
			found = m[1]
			for _, want := range []string{`"Dump of cached NodeInfo" nodes=<`, "Node name: n1", "Deleted: false", "name: large, namespace: default, uid: "} {
				if !strings.Contains(string(text), want) {
					t.Errorf("%s: no %q in the dump", l.program, want)
				}
			}
			if l == us && strings.Contains(string(text), "Cache mismatch") { // theirs misses pods of other schedulers
				t.Errorf("%s: a mismatch", l.program)
			}
			return nil
		}))
		return found
	}
	got, want := of(us), of(them)
	if got != want {
		t.Errorf("summary %q, kube-scheduler's %q", got, want)
	}
	note("signals", "SIGUSR2", got == want)
}

// compareStop asks both to end.
func compareStop(t *testing.T, us, them *live) {
	us.process.Stop(child.Grace)
	them.process.Stop(child.Grace)
	got, want := us.process.Wait().ExitCode(), them.process.Wait().ExitCode()
	if got != want || got != 0 {
		t.Errorf("SIGTERM: code %d, kube-scheduler's %d, want 0", got, want)
	}
	note("signals", "SIGTERM", got == want)
}

// A port that is taken is told alike.
func TestPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	must(t, err)
	args := []string{nowhere, "--bind-address=127.0.0.1", "--secure-port=" + port, "--write-config-to=FILE"}
	diff := cmp.Diff(ask(t, ours, args...), ask(t, upstream, args...))
	if diff != "" {
		t.Errorf("ours (-), upstream's (+):\n%s", diff)
	}
	note("command lines", "a port that is taken", diff == "")
}
