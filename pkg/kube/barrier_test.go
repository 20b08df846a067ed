package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

	meanwhile func(*shelf) // happens while the barrier lists
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
	s.name, s.inputs, s.put = "nodes", nodeInputs, s.note
	s.informer = informers.NewSharedInformerFactory(fake.NewClientset(), 0).Core().V1().Nodes().Informer()
	for _, n := range s.known {
		if err := s.informer.GetStore().Add(n); err != nil {
			t.Fatal(err)
		}
		s.OnAdd(n, true)
	}
	store := s.informer.GetStore()
	if len(s.known) > 0 {
		store.Bookmark("7")
	}
	s.puts = nil
	s.calls.list = func(_ context.Context, o metav1.ListOptions) (objects, error) {
		l := &corev1.NodeList{ListMeta: metav1.ListMeta{ResourceVersion: "20"}}
		if s.more && o.Limit > 0 {
			l.Continue = "there"
			return l, nil
		}
		if s.meanwhile != nil {
			s.meanwhile(s)
		}
		for _, n := range s.listed {
			l.Items = append(l.Items, *n)
		}
		return l, nil
	}
	s.calls.watch = func(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
		if o.ResourceVersion != "7" {
			t.Errorf("the watch begins at %s, want 7", o.ResourceVersion)
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
	return s.news()
}

// news returns what was put, without the versions that the informer had put before: the
// engine ignores them.
func (s *shelf) news() []string {
	return slices.DeleteFunc(s.puts, func(put string) bool {
		return slices.ContainsFunc(s.known, func(n *corev1.Node) bool { return put == n.Name+"@"+n.ResourceVersion })
	})
}

func TestBarrierPutsWhatTheInformerHasNot(t *testing.T) {
	f := func(how string, s *shelf, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, s.caughtUp(t), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", how, diff)
		}
	}
	known := []*corev1.Node{node("a", "5"), node("b", "7"), node("c", "6")}
	now := []*corev1.Node{node("a", "5"), node("b", "15"), node("d", "12")}
	events := []watch.Event{
		{Type: watch.Modified, Object: node("b", "15")}, {Type: watch.Deleted, Object: node("c", "16")},
		{Type: watch.Bookmark, Object: node("", "20")}, {Type: watch.Added, Object: node("z", "21")},
	}
	f("few are listed", &shelf{known: known, listed: now}, "c gone", "b@15", "d@12")
	f("nothing is new", &shelf{known: known, listed: known})
	f("many are followed", &shelf{known: known, more: true, events: events}, "b@15", "c gone")
	f("too many have passed", &shelf{known: known, listed: now, more: true, broken: errors.New("too old resource version")}, "c gone", "b@15", "d@12")
	f("the watch breaks", &shelf{known: known, listed: now, more: true, events: []watch.Event{{Type: watch.Error, Object: &metav1.Status{}}}}, "c gone", "b@15", "d@12")
	again := node("a", "15")
	again.UID = "another"
	f("one is made again", &shelf{known: known[:1], listed: []*corev1.Node{again}}, "a gone", "a@15")
	f("one goes meanwhile", &shelf{known: known, listed: now, meanwhile: func(s *shelf) {
		s.OnAdd(node("d", "12"), false)
		s.OnDelete(node("d", "21"))
	}}, "d@12", "d gone", "c gone", "b@15")
	f("the informer is ahead", &shelf{known: known, listed: now, meanwhile: func(s *shelf) {
		_ = s.informer.GetStore().Update(node("b", "21")) // and is about to tell
	}}, "c gone", "b@21", "d@12")
}

// The barrier has seen an object go of which the informer has old news still.
func TestWhatIsGoneStaysGone(t *testing.T) {
	c := node("c", "6")
	s := &shelf{known: []*corev1.Node{c}}
	s.caughtUp(t)
	s.OnUpdate(c, node("c", "8"))
	s.OnDelete(cache.DeletedFinalStateUnknown{Key: "c", Obj: node("c", "9")})
	s.OnAdd(c, false) // data was restored: it is there after all
	if diff := cmp.Diff([]string{"c gone", "c@6"}, s.puts); diff != "" {
		t.Errorf("put (-want +got):\n%s", diff)
	}
}

// The engine compares versions of nodes and pods only, so what a barrier has put of others
// must not be undone by an informer that comes later.
func TestOldNewsAfterTheBarrier(t *testing.T) {
	again := node("a", "15")
	again.UID = "another"
	s := &shelf{known: []*corev1.Node{node("b", "7")}, listed: []*corev1.Node{node("b", "15"), again}}
	s.caughtUp(t)
	s.puts = nil
	s.OnUpdate(node("b", "7"), node("b", "9"))
	s.OnAdd(node("a", "8"), false)
	_ = s.informer.GetStore().Add(again) // and is about to tell
	s.OnDelete(node("a", "10"))
	s.OnUpdate(node("b", "9"), node("b", "15"))
	s.OnAdd(again, false)
	s.OnAdd(node("z", "21"), false) // beyond the barrier
	s.OnUpdate(node("b", "15"), node("b", "22"))
	if diff := cmp.Diff([]string{"a@8", "a gone", "a@15", "b@15", "a@15", "z@21", "b@22"}, s.puts); diff != "" {
		t.Errorf("put (-want +got):\n%s", diff)
	}
	if s.ahead != nil {
		t.Errorf("%d versions are kept beyond the barrier", len(s.ahead))
	}
}

func TestUpdateThatIsAnotherObject(t *testing.T) {
	again := node("a", "12")
	again.UID = "another"
	var s shelf
	s.inputs, s.put = nodeInputs, s.note
	s.OnUpdate(node("a", "900"), node("a", "500")) // restored from a copy
	s.OnUpdate(node("a", "500"), node("a", "501"))
	s.OnUpdate(node("a", "501"), again)
	if diff := cmp.Diff([]string{"a gone", "a@500", "a@501", "a gone", "a@12"}, s.puts); diff != "" {
		t.Errorf("put (-want +got):\n%s", diff)
	}
}

// Which services and controllers a pod has may decide where it may go: with hard default
// constraints.
func TestBarrierBringsEveryKind(t *testing.T) {
	named := metav1.ObjectMeta{Namespace: "default", Name: "o"}
	client := fake.NewClientset(
		&corev1.Node{ObjectMeta: named}, &corev1.Pod{ObjectMeta: named}, &corev1.Namespace{ObjectMeta: named}, &corev1.Service{ObjectMeta: named},
		&corev1.ReplicationController{ObjectMeta: named}, &appsv1.ReplicaSet{ObjectMeta: named}, &appsv1.StatefulSet{ObjectMeta: named})
	var mu sync.Mutex
	var puts []string
	w, err := NewWatch(client, func(in engine.Input) {
		mu.Lock()
		defer mu.Unlock()
		name := fmt.Sprintf("%T", in)
		if c, ok := in.(engine.ControllerSeen); ok {
			name = c.Controller.Kind
		}
		puts = append(puts, name)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.CatchUp(context.Background()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(puts)
	want := []string{"ReplicaSet", "ReplicationController", "StatefulSet", "engine.NamespaceSeen", "engine.NodeSeen", "engine.PodSeen", "engine.ServiceSeen"}
	if diff := cmp.Diff(want, puts); diff != "" {
		t.Errorf("put (-want +got):\n%s", diff)
	}
}

func TestBarrierFailsIfNothingCanBeRead(t *testing.T) {
	k := &kind{name: "nodes", calls: calls{list: func(context.Context, metav1.ListOptions) (objects, error) { return nil, errors.New("no") }}}
	w := &Watch{kinds: []*kind{k}}
	if err := w.CatchUp(context.Background()); err == nil || err.Error() != "cannot list nodes: no" {
		t.Errorf("got %v", err)
	}
}
