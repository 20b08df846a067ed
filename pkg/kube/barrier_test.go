package kube

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// shelf is nodes as the informer knows them, as they are, and as a watch tells.
type shelf struct {
	kind
	mu   sync.Mutex // guards puts
	puts []string

	known  []*corev1.Node
	listed []*corev1.Node
	more   bool // the first list is not all
	events []watch.Event
	broken error // of the watch
}

func node(name, version string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: version}}
}

func (s *shelf) note(in engine.Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch in := in.(type) {
	case engine.NodeSeen:
		s.puts = append(s.puts, in.Node.Name+"@"+in.Node.ResourceVersion)
	case engine.NodeGone:
		s.puts = append(s.puts, in.Name+" gone")
	}
}

// caughtUp returns what the barrier puts when revision 20 must be reached.
func (s *shelf) caughtUp(t *testing.T) []string {
	t.Helper()
	s.name, s.handler = "nodes", nodeHandler(s.note)
	s.informer = informers.NewSharedInformerFactory(fake.NewClientset(), 0).Core().V1().Nodes().Informer()
	for _, n := range s.known {
		if err := s.informer.GetStore().Add(n); err != nil {
			t.Fatal(err)
		}
		s.OnAdd(n, true)
	}
	s.puts = nil
	s.calls.list = func(_ context.Context, o metav1.ListOptions) (objects, error) {
		l := &corev1.NodeList{ListMeta: metav1.ListMeta{ResourceVersion: "20"}}
		if s.more && o.Limit > 0 {
			l.Continue = "there"
			return l, nil
		}
		for _, n := range s.listed {
			l.Items = append(l.Items, *n)
		}
		return l, nil
	}
	s.calls.watch = func(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
		if o.ResourceVersion != s.reachedBy() {
			t.Errorf("the watch begins at %s, want %s", o.ResourceVersion, s.reachedBy())
		}
		w := watch.NewFakeWithChanSize(len(s.events), false)
		for _, ev := range s.events {
			w.Action(ev.Type, ev.Object)
		}
		return w, s.broken
	}
	began := time.Now()
	if err := s.catchUp(context.Background()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > catchUp {
		t.Errorf("catching up took %v", took)
	}
	slices.Sort(s.puts)
	return s.puts
}

func TestBarrierPutsWhatTheInformerHasNot(t *testing.T) {
	f := func(how string, s *shelf, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, s.caughtUp(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", how, diff)
		}
	}
	known := []*corev1.Node{node("a", "5"), node("b", "7"), node("c", "6")}
	now := []*corev1.Node{node("a", "5"), node("b", "15"), node("d", "12")}
	events := []watch.Event{
		{Type: watch.Modified, Object: node("b", "15")}, {Type: watch.Deleted, Object: node("c", "16")},
		{Type: watch.Bookmark, Object: node("", "20")}, {Type: watch.Added, Object: node("z", "21")},
	}
	f("few are listed", &shelf{known: known, listed: now}, "b@15", "c gone", "d@12")
	f("nothing is new", &shelf{known: known, listed: known})
	f("many are followed", &shelf{known: known, more: true, events: events}, "b@15", "c gone")
	f("too many have passed", &shelf{known: known, listed: now, more: true, broken: errors.New("too old resource version")}, "b@15", "c gone", "d@12")
	f("the watch breaks", &shelf{known: known, listed: now, more: true, events: []watch.Event{{Type: watch.Error, Object: &metav1.Status{}}}}, "b@15", "c gone", "d@12")
}

func TestBarrierFailsIfNothingCanBeRead(t *testing.T) {
	k := &kind{name: "nodes", calls: calls{list: func(context.Context, metav1.ListOptions) (objects, error) { return nil, errors.New("no") }}}
	w := &Watch{kinds: []*kind{k}}
	if err := w.CatchUp(context.Background()); err == nil || err.Error() != "cannot list nodes: no" {
		t.Errorf("got %v", err)
	}
}
