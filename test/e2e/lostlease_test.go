package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Somebody writes another name on the lease (case B83). The leader writes nothing more
// from its next look at the lease on, and ends as kube-scheduler does. The standby goes on
// when the lease is free.
func TestLeaderWhoseLeaseIsTakenEnds(t *testing.T) {
	const nodes, retry, deadline = 10, time.Second, 4 * time.Second
	h := newHandover(t, controlplane.Options{}, "berth-1", "berth-2")
	ctx := within(t, time.Minute)
	must(t, h.c.CreateNodes(ctx, many(nodes, func(i int) *corev1.Node {
		return object.Node(fmt.Sprintf("n%d", i), object.CPU("40"), object.Pods("400"))
	})...))
	stopLoad := h.load(ctx, 4000)
	defer stopLoad()
	timing := []string{"--leader-elect-lease-duration=6s", "--leader-elect-renew-deadline=4s", "--leader-elect-retry-period=1s"}
	h.start(ctx, ours, "berth-1", timing...)
	h.firstBind(ctx, time.Time{}, "berth-1")
	h.start(ctx, ours, "berth-2", timing...)

	h.running["berth-1"].look() // it ends by itself
	taken := h.changeLease(ctx, func(l *coordinationv1.LeaseSpec) {
		x, long, now := "x", int32(600), metav1.NowMicro()
		l.HolderIdentity, l.LeaseDurationSeconds, l.RenewTime = &x, &long, &now
	})
	h.mustLose(taken, "berth-1", deadline+2*retry)
	must(t, h.client.CoordinationV1().Leases(metav1.NamespaceSystem).Delete(ctx, leaseName, metav1.DeleteOptions{}))
	h.firstBind(ctx, taken, "berth-2")
	pods := stopLoad()
	must(t, h.c.WaitFor(ctx, "all pods bound", func(ctx context.Context) error { return allBound(ctx, h.client, pods) }))
	checkRoom(t, ctx, h.client)
	h.checkBinds(pods)
	late, err := h.c.Audit(func(e *controlplane.AuditEvent) bool {
		return e.User.Username == "berth-1" && isBind(e) && e.Received.After(taken.Add(2*retry))
	})
	must(t, err)
	if len(late) > 0 {
		t.Errorf("%d binds were sent by a scheduler without the lease, the first %v after it was taken", len(late), late[0].Received.Sub(taken))
	}
}

// The API server elects the leader itself, and says on the lease when it wants another.
func TestLeaderThatTheAPIServerElectsGivesWay(t *testing.T) {
	t.Parallel()
	h := newHandover(t, controlplane.Options{
		FeatureGates: map[string]bool{"CoordinatedLeaderElection": true}, APIs: []string{"coordination.k8s.io/v1beta1"},
	}, "berth-1", "berth-2")
	ctx := within(t, 2*time.Minute)
	must(t, h.c.CreateNodes(ctx, object.Node("n1", object.CPU("400"), object.Pods("4000"))))
	stopLoad := h.load(ctx, 1000)
	defer stopLoad()
	const gate = "--feature-gates=CoordinatedLeaderElection=true"
	h.start(ctx, ours, "berth-1", gate)
	h.firstBind(ctx, time.Time{}, "berth-1")
	h.start(ctx, ours, "berth-2", gate)
	must(t, h.c.WaitFor(ctx, "two candidates", func(ctx context.Context) error {
		list, err := h.client.CoordinationV1beta1().LeaseCandidates(metav1.NamespaceSystem).List(ctx, metav1.ListOptions{})
		if err == nil && len(list.Items) != 2 {
			err = fmt.Errorf("%d candidates", len(list.Items))
		}
		for i := range list.Items {
			s := &list.Items[i].Spec
			if s.LeaseName != leaseName || !strings.HasPrefix(s.BinaryVersion, "1.37.") || s.EmulationVersion != "1.37.0" || s.Strategy != coordinationv1.OldestEmulationVersion {
				t.Errorf("candidate %+v", s)
			}
		}
		return err
	}))
	h.running["berth-1"].look() // it ends by itself
	asked := h.changeLease(ctx, func(l *coordinationv1.LeaseSpec) { x := "x"; l.PreferredHolder = &x })
	h.mustLose(asked, "berth-1", 10*time.Second)
	h.firstBind(ctx, asked, "berth-2")
	pods := stopLoad()
	must(t, h.c.WaitFor(ctx, "all pods bound", func(ctx context.Context) error { return allBound(ctx, h.client, pods) }))
	h.checkBinds(pods)
}

const leaseName = "kube-scheduler"

// changeLease writes the lease and returns when that was.
func (h *handover) changeLease(ctx context.Context, change func(*coordinationv1.LeaseSpec)) time.Time {
	h.t.Helper()
	leases := h.client.CoordinationV1().Leases(metav1.NamespaceSystem)
	must(h.t, h.c.WaitFor(ctx, "the lease to be written", func(ctx context.Context) error { // renewals come between
		lease, err := leases.Get(ctx, leaseName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		change(&lease.Spec)
		_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
		return err
	}))
	return time.Now()
}

// mustLose waits for a leader to end because it has lost the lease.
func (h *handover) mustLose(since time.Time, leader string, limit time.Duration) {
	h.t.Helper()
	p := h.running[leader]
	if code, took := p.Wait().ExitCode(), time.Since(since); code != 1 || took > limit {
		h.t.Errorf("%s ended with code %d after %v, want 1 after %v at the most", leader, code, took, limit)
	}
	text, err := os.ReadFile(p.Log)
	must(h.t, err)
	if !strings.Contains(string(text), `"Leaderelection lost"`) {
		h.t.Errorf("%s does not say that it lost the lease", leader)
	}
}
