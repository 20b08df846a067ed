package scheduler

import (
	"context"
	"fmt"
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
	"github.com/berth-scheduler/berth/pkg/features"
	"github.com/berth-scheduler/berth/test/process/corpus"
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
	running.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
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

func TestBadProfilesAreRefusedInTheWordsOfUpstream(t *testing.T) {
	files, err := corpus.Read("testdata/bad")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range files {
		cfg, err := config.Load([]byte(f.Text), features.New())
		if err == nil {
			err = cfg.Validate()
		}
		if err == nil {
			err = cfg.Complete()
		}
		if err != nil {
			t.Errorf("%s: %v before profiles are made", f.Path, err)
			continue
		}
		if _, err := New(cfg, Deps{Client: fake.NewClientset()}); err == nil || err.Error() != f.Want {
			t.Errorf("%s\ngot  %v\nwant %s", f.Path, err, f.Want)
		}
	}
}

func TestWhatIsNotBuiltIsRefused(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
		cfg, err := config.Load([]byte(head+text), features.New())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(cfg, Deps{Client: fake.NewClientset()}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	f("extenders: [{urlPrefix: x}]", "extenders are configured, which this version does not have")
	f("profiles: [{plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}]",
		`initializing profiles: creating profile for scheduler name default-scheduler: plugin "GangScheduling" is enabled, which this version does not have`)
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
