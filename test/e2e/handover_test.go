package e2e

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

// Schedulers of both makes share one lease, and pods come all the time. Whoever is ended,
// in whatever way, the next one goes on: within 6s of a signal to end, within 25s of a
// kill. No pod is lost or bound twice, and in the end every node is exactly full.
func TestLeadershipIsHandedOverBothWaysUnderLoad(t *testing.T) {
	const nodes, pods = 30, 1200
	h := newHandover(t, controlplane.Options{}, "berth-1", "upstream-1", "berth-2", "upstream-2", "berth-3")
	ctx := within(t, 3*time.Minute)
	must(t, h.c.CreateNodes(ctx, many(nodes, func(i int) *corev1.Node {
		return object.Node(fmt.Sprintf("n%d", i), object.CPU("4"))
	})...))
	stopLoad := h.load(ctx, pods)
	defer stopLoad()

	h.start(ctx, ours, "berth-1")
	h.firstBind(ctx, time.Time{}, "berth-1")
	h.start(ctx, theirs, "upstream-1")
	h.handOver(ctx, "berth-1", syscall.SIGTERM, 6*time.Second, "upstream-1")
	h.start(ctx, ours, "berth-2")
	h.handOver(ctx, "upstream-1", syscall.SIGTERM, 6*time.Second, "berth-2")
	h.start(ctx, theirs, "upstream-2")
	h.start(ctx, ours, "berth-3")
	next := h.handOver(ctx, "berth-2", syscall.SIGKILL, 25*time.Second, "upstream-2", "berth-3")
	last := map[string]string{"upstream-2": "berth-3", "berth-3": "upstream-2"}[next]
	h.handOver(ctx, next, syscall.SIGTERM, 6*time.Second, last)

	must(t, h.c.CreatePods(ctx, many(pods-stopLoad(), func(i int) *corev1.Pod {
		return object.Pod(fmt.Sprintf("rest-%d", i), object.CPU("100m"))
	})...))
	must(t, h.c.WaitFor(ctx, "all pods bound", func(ctx context.Context) error { return allBound(ctx, h.client, pods) }))
	checkRoom(t, ctx, h.client)
	h.checkBinds(pods)
}

// The two makes of scheduler.
const (
	ours   = "berth"
	theirs = "kube-scheduler"
)

// handover is schedulers that share a lease, each a user of its own.
type handover struct {
	t       *testing.T
	c       *controlplane.ControlPlane
	client  kubernetes.Interface
	running map[string]*subject
}

func newHandover(t *testing.T, o controlplane.Options, users ...string) *handover {
	t.Helper()
	o.Audit = true
	for _, name := range users {
		o.Users = append(o.Users, controlplane.User{Name: name, LikeScheduler: true})
	}
	c := controlplane.Start(t, o)
	return &handover{t: t, c: c, client: c.Client(controlplane.Admin), running: map[string]*subject{}}
}

// load creates pods one after the other until it is told to stop, and tells how many.
func (h *handover) load(ctx context.Context, most int) (stop func() int) {
	ctx, cancel := context.WithCancel(ctx)
	var creating sync.WaitGroup
	made := 0
	creating.Go(func() {
		every := time.NewTicker(70 * time.Millisecond)
		defer every.Stop()
		for made < most {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
			}
			if err := h.c.CreatePods(context.WithoutCancel(ctx), object.Pod(fmt.Sprintf("p%d", made), object.CPU("100m"))); err != nil {
				h.t.Error(err)
				return
			}
			made++
		}
	})
	return func() int { cancel(); creating.Wait(); return made }
}

// start runs a scheduler of a make as a user, and returns when it wants the lease.
func (h *handover) start(ctx context.Context, of, user string, flags ...string) {
	h.t.Helper()
	kubeconfig, err := h.c.Kubeconfig(user)
	must(h.t, err)
	flags = append([]string{"--kubeconfig=" + kubeconfig, "-v=2"}, flags...)
	if of == theirs {
		paths, err := tools.Paths(ctx, "kube-scheduler")
		must(h.t, err)
		h.running[user] = &subject{t: h.t, Process: child.StartFor(h.t, user+".log", paths[0], append(flags, "--secure-port=0")...)}
	} else {
		port, serving := served(h.t, h.c)
		h.running[user] = startSubject(h.t, h.c, launch{binary, user + ".log", port, append(flags, serving...)})
	}
	must(h.t, h.c.WaitFor(ctx, user+" to want the lease", func(context.Context) error {
		return h.any(func(e *controlplane.AuditEvent) bool {
			return e.User.Username == user && e.ObjectRef.Resource == "leases"
		})
	}))
}

// any returns nil if there is such a request.
func (h *handover) any(is func(*controlplane.AuditEvent) bool) error {
	found, err := h.c.Audit(is)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no such request")
	}
	return err
}

// handOver ends the leader with a signal, and returns who of some bound the first pod
// afterwards. That must not take longer than limit.
func (h *handover) handOver(ctx context.Context, leader string, s syscall.Signal, limit time.Duration, next ...string) string {
	h.t.Helper()
	p := h.running[leader]
	p.look() // takes its time
	signalled := time.Now()
	p.Signal(s)
	how := p.Wait()
	exited := time.Since(signalled)
	if s == syscall.SIGTERM && !how.Success() {
		h.t.Errorf("%s ended with %v, want no failure", leader, how)
	}
	by, at := h.firstBind(ctx, signalled, next...)
	took := at.Sub(signalled)
	h.t.Logf("%v: %s ended after %v, %s bound its first pod after %v", s, leader, exited, by, took)
	if took > limit {
		h.t.Errorf("the handover from %s to %s took %v, want %v at the most", leader, by, took, limit)
	}
	return by
}

// firstBind waits for the first bind by one of some users, and tells whose it was.
func (h *handover) firstBind(ctx context.Context, since time.Time, users ...string) (by string, at time.Time) {
	h.t.Helper()
	must(h.t, h.c.WaitFor(ctx, fmt.Sprintf("a bind by one of %v", users), func(context.Context) error {
		binds, err := h.c.Audit(isBind)
		if err != nil {
			return err
		}
		for i := range binds {
			for _, user := range users {
				if binds[i].User.Username == user && binds[i].Received.After(since) {
					by, at = user, binds[i].Received.Time
					return nil
				}
			}
		}
		return fmt.Errorf("none among %d binds", len(binds))
	}))
	return by, at
}

// allBound returns nil once so many pods have a node.
func allBound(ctx context.Context, client kubernetes.Interface, want int) error {
	list, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName!="})
	if err == nil && len(list.Items) != want {
		err = fmt.Errorf("%d of %d pods are bound", len(list.Items), want)
	}
	return err
}
