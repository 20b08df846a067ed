package scheduler

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"go.uber.org/goleak"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
)

// watcher is an Observer that hands on what it is told.
type watcher struct {
	decided chan engine.Decision
	settled chan engine.Settled
}

func newWatcher() *watcher {
	return &watcher{decided: make(chan engine.Decision, 100), settled: make(chan engine.Settled, 100)}
}

func (w *watcher) Decided(d engine.Decision, _ time.Time, _ time.Duration) { w.decided <- d }
func (w *watcher) Settled(s engine.Settled, _ time.Time)                   { w.settled <- s }
func (w *watcher) Handled([]string, time.Duration)                         {}

// started runs a scheduler on a fake API server with one node and some pods.
func started(t *testing.T, client *fake.Clientset, grace time.Duration) (w *watcher, stop func()) {
	t.Helper()
	w = newWatcher()
	s, err := New(config.Default(), Deps{Client: client, Grace: grace, Observers: []Observer{w, NewLog()}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	select {
	case <-s.Ready():
	case <-time.After(10 * time.Second):
		t.Fatal("not ready")
	}
	return w, func() { cancel(); running.Wait() }
}

func oneNode() *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourcePods: resource.MustParse("10"),
	}}}
}

func onePod(name string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)}}
	p.Spec.SchedulerName = config.DefaultSchedulerName
	return p
}

func receive[T any](t *testing.T, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(10 * time.Second):
		t.Fatal("nothing came")
	}
	return got
}

func TestPodIsPlacedAndRunLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t)
	w, stop := started(t, fake.NewClientset(oneNode(), onePod("a")), time.Second)
	defer stop()
	if d := receive(t, w.decided); d.Verdict != engine.Placed || d.Node != "n1" {
		t.Errorf("decision = %+v, want a placed on n1", d)
	}
	if s := receive(t, w.settled); s.Result != engine.Bound {
		t.Errorf("settled = %+v, want bound", s)
	}
}

// A stop waits for a bind that is out, and gives up on one that does not come back.
func TestStopWaitsForBindsThatAreOut(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := func(grace, answerAfter time.Duration, wantSettled bool) {
		t.Helper()
		client := fake.NewClientset(oneNode(), onePod("a"))
		asked, answer := make(chan struct{}), make(chan struct{})
		client.PrependReactor("create", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
			close(asked)
			<-answer
			return true, nil, nil
		})
		w, stop := started(t, client, grace)
		receive(t, asked)
		release := time.AfterFunc(answerAfter, func() { close(answer) })
		defer release.Stop()
		stop()
		if got := len(w.settled) == 1; got != wantSettled {
			t.Errorf("with a grace of %v and an answer after %v the bind settled: %v, want %v", grace, answerAfter, got, wantSettled)
		}
	}
	f(5*time.Second, 50*time.Millisecond, true)
	f(10*time.Millisecond, 300*time.Millisecond, false)
}

func TestBadProfilesAreRefusedByName(t *testing.T) {
	f := func(change func(*config.Config), want string) {
		t.Helper()
		cfg := config.Default()
		change(&cfg)
		_, err := New(cfg, Deps{Client: fake.NewClientset()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New = %v, want an error with %q", err, want)
		}
	}
	plugins := func(names ...string) func(*config.Config) {
		return func(c *config.Config) {
			c.Profiles[0].Plugins = nil
			for _, n := range names {
				c.Profiles[0].Plugins = append(c.Profiles[0].Plugins, config.Plugin{Name: n})
			}
		}
	}
	f(plugins("PrioritySort", "Foo"), `creating profile for scheduler name default-scheduler: plugin "Foo" does not exist`)
	f(plugins("PrioritySort"), `at least one bind plugin is needed for profile with scheduler name "default-scheduler"`)
	f(plugins("DefaultBinder"), `only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0`)
	f(plugins("DefaultBinder", "PrioritySort", "NodeName", "NodeName"), `plugin "NodeName" already registered`)
	f(func(c *config.Config) { c.Profiles = append(c.Profiles, c.Profiles[0]) }, `duplicate profile with scheduler name "default-scheduler"`)
	f(func(c *config.Config) { c.Profiles = nil }, "at least one profile is needed")
}

func TestMailboxKeepsOrderAndSignalsWhatIsLeft(t *testing.T) {
	m := newMailbox()
	for i := range 5 {
		m.put(engine.NodeGone{Name: fmt.Sprint(i)})
	}
	<-m.arrived
	got := m.take(nil, 3)
	<-m.arrived // two are left
	got = m.take(got, 10)
	for i, in := range got {
		if in != (engine.NodeGone{Name: fmt.Sprint(i)}) {
			t.Errorf("input %d = %v", i, in)
		}
	}
	if len(got) != 5 || len(m.arrived) != 0 {
		t.Errorf("%d inputs taken, %d signals left; want 5 and 0", len(got), len(m.arrived))
	}
}
