package kube

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	componentbaseconfig "k8s.io/component-base/config"

	"go.uber.org/goleak"
)

func testElection(client *fake.Clientset, identity string) *Election {
	return &Election{
		Client: client, Identity: identity, Fence: NewFence(time.Second),
		Config: componentbaseconfig.LeaderElectionConfiguration{
			ResourceLock: "leases", ResourceNamespace: "kube-system", ResourceName: "kube-scheduler",
			LeaseDuration: metav1.Duration{Duration: 2 * time.Second}, RenewDeadline: metav1.Duration{Duration: time.Second},
			RetryPeriod: metav1.Duration{Duration: 100 * time.Millisecond},
		},
	}
}

func holder(t *testing.T, client *fake.Clientset) string {
	t.Helper()
	lease, err := client.CoordinationV1().Leases("kube-system").Get(context.Background(), "kube-scheduler", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return *lease.Spec.HolderIdentity
}

// run starts an election and returns when it leads, what stops it, and how it ended.
func run(e *Election, lead func(context.Context)) (leads <-chan struct{}, stop func(), ended <-chan error) {
	ctx, cancel := context.WithCancel(context.Background())
	started, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.Run(ctx, func(ctx context.Context) { close(started); lead(ctx) })
	}()
	return started, cancel, done
}

func untilDone(ctx context.Context) { <-ctx.Done() }

func await[T any](t *testing.T, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s did not come", what)
	}
	return got
}

// A leader that is told to stop keeps the lease until what it sent is resolved; then the
// other leads at once, without waiting for the lease to run out.
func TestLeaseIsReleasedOnlyWhenTheWorkIsResolved(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := fake.NewClientset()
	resolved := make(chan struct{})
	a := testElection(client, "a")
	aLeads, stopA, aEnded := run(a, func(ctx context.Context) { <-ctx.Done(); <-resolved })
	await(t, "a's term", aLeads)
	bLeads, stopB, bEnded := run(testElection(client, "b"), untilDone)
	stopA()
	select {
	case <-bLeads:
		t.Fatal("b leads while a resolves its binds")
	case <-time.After(3 * time.Second): // longer than the lease
	}
	if got := holder(t, client); got != "a" || !a.Fence.Open(time.Now()) {
		t.Errorf("the holder is %q, a's fence open: %v; want a to hold on and write", got, a.Fence.Open(time.Now()))
	}
	close(resolved)
	if err := await(t, "a's end", aEnded); err != nil {
		t.Errorf("a ended with %v", err)
	}
	if a.Fence.Open(time.Now()) {
		t.Error("a may still write after it has released the lease")
	}
	await(t, "b's term", bLeads)
	stopB()
	await(t, "b's end", bEnded)
}

func TestLostLeaseEndsTheTerm(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := fake.NewClientset()
	var cutOff atomic.Bool
	client.PrependReactor("*", "leases", func(clienttesting.Action) (bool, kruntime.Object, error) {
		return cutOff.Load(), nil, errors.New("no route to host")
	})
	leads, stop, ended := run(testElection(client, "a"), untilDone)
	defer stop()
	await(t, "the term", leads)
	cutOff.Store(true)
	if err := await(t, "the end", ended); !errors.Is(err, ErrLost) {
		t.Errorf("ended with %v, want %v", err, ErrLost)
	}
}

func TestStandbyStopsAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := fake.NewClientset()
	leads, stop, ended := run(testElection(client, "a"), untilDone)
	await(t, "the term", leads)
	_, stopB, bEnded := run(testElection(client, "b"), untilDone)
	stopB()
	if err := await(t, "b's end", bEnded); err != nil {
		t.Errorf("the standby ended with %v", err)
	}
	stop()
	await(t, "a's end", ended)
}

func TestFenceStopsWritesThatComeTooLate(t *testing.T) {
	var writes atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { writes.Add(1) }))
	defer server.Close()
	f := NewFence(time.Minute)
	send := func(method string) error {
		r, err := http.NewRequest(method, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := f.Wrap(http.DefaultTransport).RoundTrip(r)
		if err == nil {
			answer.Body.Close()
		}
		return err
	}
	expect := func(when, method string, want error) {
		t.Helper()
		if err := send(method); !errors.Is(err, want) {
			t.Errorf("%s: %s gives %v, want %v", when, method, err, want)
		}
	}
	expect("before the lease is acquired", http.MethodPost, ErrFenced)
	expect("before the lease is acquired", http.MethodGet, nil)
	f.Renewed(time.Now())
	expect("just renewed", http.MethodPatch, nil)
	f.Renewed(time.Now().Add(-time.Minute))
	expect("renewed long ago", http.MethodPost, ErrFenced)
	expect("renewed long ago", http.MethodGet, nil)
	f.Renewed(time.Now())
	expect("renewed again", http.MethodDelete, nil)
	f.Close()
	expect("given away", http.MethodPost, ErrFenced)
	if got := writes.Load(); got != 4 {
		t.Errorf("%d requests arrived, want 4", got)
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
