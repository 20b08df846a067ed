package main

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
)

// server is a fake API server that hands out watches one after the other and notes from where each goes on.
type server struct {
	*metadatafake.FakeMetadataClient
	watches chan *watch.FakeWatcher
	from    chan string
}

func newServer(t *testing.T) *server {
	t.Helper()
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s := &server{
		FakeMetadataClient: metadatafake.NewSimpleMetadataClient(scheme),
		watches:            make(chan *watch.FakeWatcher, 10), from: make(chan string, 10),
	}
	s.PrependWatchReactor("pods", func(action clienttesting.Action) (bool, watch.Interface, error) {
		next := watch.NewFake()
		s.from <- action.(clienttesting.WatchActionImpl).ListOptions.ResourceVersion
		s.watches <- next
		return true, next, nil
	})
	return s
}

func boundPod(name, version string) runtime.Object {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: version}}
}

func TestWatchGoesOnWhereItWasCut(t *testing.T) {
	s := newServer(t)
	w, err := watchBinds(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	first := <-s.watches
	<-s.from
	first.Add(boundPod("a", "7"))
	first.Modify(boundPod("a", "8"))
	first.Stop()
	second := <-s.watches
	if from := <-s.from; from != "8" {
		t.Errorf("the second watch goes on from %q, want 8", from)
	}
	second.Add(boundPod("b", "9"))
	second.Stop()
	third := <-s.watches // is asked for when all of the second one has been seen
	if n, err := w.bound(); n != 2 || err != nil {
		t.Errorf("saw %d pods bound, %v, want 2", n, err)
	}
	w.cancel()
	third.Stop()
	w.stop()
	if w.first.After(w.last) || w.times["default/a"] != w.first || w.times["default/b"] != w.last {
		t.Errorf("got first %v, last %v of %v", w.first, w.last, w.times)
	}
}

func TestWatchThatMayHaveMissedSomethingSaysSo(t *testing.T) {
	w := &bindWatch{times: map[string]time.Time{}}
	w.see(time.Now(), watch.Event{Type: watch.Error, Object: &metav1.Status{Message: "too old resource version"}})
	if _, err := w.bound(); err == nil || !strings.Contains(err.Error(), "too old") {
		t.Errorf("got %v, want the error of the watch", err)
	}
	w = &bindWatch{times: map[string]time.Time{}}
	w.see(time.Now(), watch.Event{Type: watch.Deleted, Object: boundPod("a", "1")})
	if _, err := w.bound(); err == nil {
		t.Error("got no error for a pod that was deleted")
	}
}
