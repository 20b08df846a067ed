package kube

import (
	"context"
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// record is a lease as the fake API server holds it.
type record struct {
	resourcelock.Interface
	lease resourcelock.LeaderElectionRecord
	fails error
}

func (*record) Identity() string { return "a" }

func (r *record) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	lease := r.lease
	return &lease, nil, r.fails
}

func (r *record) Update(_ context.Context, lease resourcelock.LeaderElectionRecord) error {
	r.lease = lease
	return r.fails
}

func locked(lead func(context.Context)) (*watchedLock, *record) {
	stopped, letGo := context.WithCancel(context.Background())
	r := &record{}
	return &watchedLock{Interface: r, fence: NewFence(time.Minute), term: &term{stopped: stopped, letGo: letGo, lead: lead}}, r
}

func TestFenceFollowsTheLease(t *testing.T) {
	l, r := locked(nil)
	ctx := context.Background()
	ours := resourcelock.LeaderElectionRecord{HolderIdentity: "a"}
	f := func(what string, do func(), want bool) {
		t.Helper()
		do()
		if got := l.fence.Open(time.Now()); got != want {
			t.Errorf("%s: open is %v, want %v", what, got, want)
		}
	}
	get := func() { _, _, _ = l.Get(ctx) }
	renew := func() { _ = l.Update(ctx, ours) }
	f("nobody has it", get, false)
	f("acquired", renew, true)
	f("read", get, true)
	f("another's", func() { r.lease.HolderIdentity = "x"; get() }, false)
	f("not renewed after that", renew, false)
	if r.lease.HolderIdentity != "x" {
		t.Errorf("a lease that was another's is renewed: %q has it", r.lease.HolderIdentity)
	}

	l, r = locked(nil)
	f("acquired", renew, true)
	r.fails = errors.New("no route to host")
	f("cannot be read", get, true) // the deadline decides
	f("cannot be renewed", renew, true)
	f("cannot be released", func() { _ = l.Update(ctx, resourcelock.LeaderElectionRecord{}) }, false)
}

// The process stood still, another one led and released the lease. What this one knows is
// from before, so it may not go on, though the lease is free.
func TestLeaseThatWasGivenUpMeanwhileEndsTheTerm(t *testing.T) {
	ended := make(chan struct{})
	l, r := locked(func(ctx context.Context) { <-ctx.Done(); close(ended) })
	ctx := context.Background()
	ours := resourcelock.LeaderElectionRecord{HolderIdentity: "a"}
	if err := l.Update(ctx, ours); err != nil {
		t.Fatal(err)
	}
	go l.term.start(ctx)
	r.lease.HolderIdentity = ""
	_, _, _ = l.Get(ctx)
	if err := l.Update(ctx, ours); !errors.Is(err, errLost) || r.lease.HolderIdentity != "" {
		t.Errorf("renewed (%v), now %q has it", err, r.lease.HolderIdentity)
	}
	r.lease.HolderIdentity = "b"
	if err := l.Update(ctx, resourcelock.LeaderElectionRecord{}); !errors.Is(err, errLost) || r.lease.HolderIdentity != "b" {
		t.Errorf("another's lease is released (%v), now %q has it", err, r.lease.HolderIdentity)
	}
	if err := l.Create(ctx, ours); !errors.Is(err, errLost) || l.fence.Open(time.Now()) {
		t.Errorf("a lease that somebody deleted is made again (%v)", err)
	}
	if l.term.cancel != nil { // it had begun
		await(t, "the end of the term", ended)
	}
}

// The lease of a leader that lost it, or is to give way, is released as well. That must
// wait for what it has sent.
func TestReleaseWaitsForTheWorkToEnd(t *testing.T) {
	asked, resolved := make(chan struct{}), make(chan struct{})
	l, r := locked(func(ctx context.Context) { <-ctx.Done(); close(asked); <-resolved })
	r.lease = resourcelock.LeaderElectionRecord{HolderIdentity: "a", PreferredHolder: "b"}
	if err := l.Update(context.Background(), r.lease); err != nil {
		t.Fatal(err)
	}
	go l.term.start(context.Background())
	for leading := false; !leading; { // the goroutine has begun
		_, _, _ = l.Get(context.Background())
		select {
		case <-asked:
			leading = true
		default:
		}
	}
	released := make(chan struct{})
	go func() {
		_ = l.Update(context.Background(), resourcelock.LeaderElectionRecord{})
		close(released)
	}()
	if len(released) > 0 || !l.fence.Open(time.Now()) {
		t.Error("the lease is released while binds are out")
	}
	close(resolved)
	await(t, "the release", released)
	if r.lease.HolderIdentity != "" || l.fence.Open(time.Now()) {
		t.Errorf("the holder is %q, the fence open: %v; want nobody, shut", r.lease.HolderIdentity, l.fence.Open(time.Now()))
	}
	l.term.start(context.Background()) // too late: does not lead, so does not close asked again
}

func TestLeaseEventReadsAsUpstreams(t *testing.T) {
	client := fake.NewClientset()
	e := testElection(client, "a")
	e.Source = "default-scheduler"
	leads, stop, ended := run(e, untilDone)
	await(t, "the term", leads)
	stop()
	await(t, "the end", ended)
	list, err := client.CoreV1().Events("kube-system").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	notes := map[string]bool{}
	for i := range list.Items {
		ev := &list.Items[i]
		notes[ev.Message] = true
		if ev.Type != corev1.EventTypeNormal || ev.Reason != "LeaderElection" || ev.Source.Component != "default-scheduler" || ev.Count != 1 ||
			ev.InvolvedObject.Kind != "Lease" || ev.InvolvedObject.APIVersion != "coordination.k8s.io/v1" || ev.InvolvedObject.Name != "kube-scheduler" {
			t.Errorf("event %+v", ev)
		}
	}
	if len(notes) != 2 || !notes["a became leader"] || !notes["a stopped leading"] {
		t.Errorf("events %v, want that a became leader and stopped", notes)
	}
}
