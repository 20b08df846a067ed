package main

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// written is what a scheduler has posted.
type written struct {
	mu     sync.Mutex // of both below
	nodes  map[string]int
	events []string

	told chan struct{} // an element for each event
}

func (w *written) bind(action clienttesting.Action) (bool, runtime.Object, error) {
	if action.GetSubresource() != "binding" {
		return false, nil, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes[action.(clienttesting.CreateAction).GetObject().(*corev1.Binding).Target.Name]++
	return true, nil, nil
}

func (w *written) event(action clienttesting.Action) (bool, runtime.Object, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	event := action.(clienttesting.CreateAction).GetObject().(*eventsv1.Event)
	w.events = append(w.events, event.Reason+" "+event.Regarding.Name)
	w.told <- struct{}{}
	return true, event, nil
}

func TestPodsGoToNodesInTurn(t *testing.T) {
	objects := []runtime.Object{object.Node("n1"), object.Node("n2"), object.Pod("bound", object.OnNode("n1")),
		object.Pod("other", object.SchedulerName("other"))}
	for i := range 6 {
		objects = append(objects, object.Pod(fmt.Sprintf("p%d", i), object.SchedulerName(name)))
	}
	client, w := fake.NewClientset(objects...), &written{nodes: map[string]int{}, told: make(chan struct{}, len(objects))}
	client.PrependReactor("create", "pods", w.bind)
	client.PrependReactor("create", "events", w.event)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s := &scheduler{client: client, queue: make(chan *corev1.Pod, waiting)}
	ended := make(chan error)
	go func() { ended <- s.run(ctx) }()
	for range 6 {
		select {
		case <-w.told:
		case <-ctx.Done():
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if w.nodes["n1"] != 3 || w.nodes["n2"] != 3 || len(w.events) != 6 {
		t.Errorf("got binds %v and events %v, want 3 pods on each node and an event of each", w.nodes, w.events)
	}
}
