package kube

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

func refOf(name string) podspec.Ref {
	return podspec.Ref{Namespace: "ns", Name: name, UID: types.UID("u" + name)}
}

// saying is a patch of a pod's condition.
func saying(pod, message string) engine.PatchStatus {
	return engine.PatchStatus{Pod: refOf(pod), Condition: &corev1.PodCondition{Message: message}}
}

// show draws a patch.
func show(p engine.PatchStatus) string {
	text := p.Pod.Name
	if p.Condition != nil {
		text += " says " + p.Condition.Message
	}
	if p.Nominate != nil {
		text += " to " + *p.Nominate
	}
	return text
}

func TestNewerPatchTakesInTheOneThatWaits(t *testing.T) {
	var l patches
	n1, n2 := "n1", "n2"
	l.put(saying("a", "old"))
	l.put(saying("b", "b"))
	l.put(engine.PatchStatus{Pod: refOf("a"), Nominate: &n1})
	l.put(engine.PatchStatus{Pod: refOf("a"), Nominate: &n2})
	l.put(saying("a", "new"))
	l.close()
	var got []string
	for p, ok := l.take(); ok; p, ok = l.take() {
		got = append(got, show(p))
		l.done(p.Pod.UID)
	}
	if diff := cmp.Diff([]string{"a says new to n2", "b says b"}, got); diff != "" {
		t.Errorf("patches (-want +got):\n%s", diff)
	}
}

func TestPatchesOfAPodAreUnderWayOneByOne(t *testing.T) {
	var l patches
	l.put(saying("a", "1"))
	first, _ := l.take()
	l.put(saying("a", "2"))
	l.put(saying("b", "1"))
	if other, _ := l.take(); show(other) != "b says 1" { // a is under way
		t.Errorf("took %s, want that of b", show(other))
	}
	l.done(first.Pod.UID)
	if next, _ := l.take(); show(next) != "a says 2" {
		t.Errorf("took %s, want the second of a", show(next))
	}
}

// A pod that gets its node while the condition that it has none is on its way.
func TestBindGoesBeforeWhatWaitsAndAfterWhatIsUnderWay(t *testing.T) {
	defer goleak.VerifyNone(t)
	client, calls, proceed := fake.NewClientset(), make(chan string, 10), make(chan struct{})
	client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
		calls <- "patch"
		<-proceed
		return true, &corev1.Pod{}, nil
	})
	client.PrependReactor("create", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
		calls <- "bind"
		return true, nil, nil
	})
	got := make(chan engine.Input, 10)
	w := NewWriter(client, func(in engine.Input) { got <- in })
	ended := make(chan struct{})
	go func() { w.Run(context.Background()); close(ended) }()

	w.Do(saying("a", "under way"))
	if call := <-calls; call != "patch" {
		t.Errorf("the first call is a %s", call)
	}
	w.Do(saying("a", "waits"))
	w.Do(engine.Bind{Pod: refOf("a"), Attempt: 3, Node: "n1"})
	if done := <-got; done != (engine.StatusDone{Pod: refOf("a"), Failed: true}) {
		t.Errorf("got %+v, want that the patch that waits is dropped", done)
	}
	select {
	case call := <-calls:
		t.Errorf("a %s went out while a patch is under way", call)
	default:
	}
	close(proceed)
	if call := <-calls; call != "bind" {
		t.Errorf("the second call is a %s", call)
	}
	w.Close()
	<-ended
	close(got)
	answers := map[string]int{}
	for in := range got {
		answers[fmt.Sprintf("%T", in)]++
	}
	if diff := cmp.Diff(map[string]int{"engine.StatusDone": 1, "engine.BindDone": 1}, answers); diff != "" || len(calls) != 0 {
		t.Errorf("%d calls more, answers (-want +got):\n%s", len(calls), diff)
	}
}

func TestBindThatWaitsForAPatchCanBeWithdrawn(t *testing.T) {
	got := make(chan engine.Input, 10)
	w := NewWriter(fake.NewClientset(), func(in engine.Input) { got <- in })
	w.Do(saying("a", "x"))
	p, _ := w.patches.take()
	w.Do(bindA)
	w.Withdraw()
	if done := <-got; done != (engine.BindDone{Pod: podA, Attempt: 3, Result: engine.Withdrawn}) {
		t.Errorf("got %+v, want it withdrawn", done)
	}
	if b := w.patches.done(p.Pod.UID); b != nil {
		t.Error("a bind that was withdrawn goes out")
	}
}

// When the lease is lost, thousands may wait: none of them is an error of its own.
func TestPatchesThatMayNotBeSentAreCounted(t *testing.T) {
	client := fake.NewClientset()
	client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
		return true, nil, &url.Error{Op: "Patch", URL: "https://127.0.0.1:1", Err: ErrFenced}
	})
	w := NewWriter(client, nil)
	for range 3 {
		if done := w.patch(context.Background(), saying("a", "x")); !done.Failed {
			t.Error("it was not sent, and is not called failed")
		}
	}
	if n := w.unsent.Load(); n != 3 {
		t.Errorf("%d patches were not sent, want 3", n)
	}
}

func TestDroppedEventsAreToldOfNowAndThen(t *testing.T) {
	var l lost
	start := time.Unix(100, 0)
	for i := range 200 {
		l.note(start.Add(time.Duration(i) * time.Second))
	}
	if n, last := l.n, l.told.Sub(start); n != 200 || last != 180*time.Second {
		t.Errorf("%d were counted and told of last after %v, want 200 and 3m0s", n, last)
	}
}
