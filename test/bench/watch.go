package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
)

var (
	podsResource   = corev1.SchemeGroupVersion.WithResource("pods")
	eventsResource = corev1.SchemeGroupVersion.WithResource("events")
)

// bindWatch sees pods get a node. It watches the metadata of pods that have one: to such a watch a bind is a pod
// that is added.
//
// A busy API server cuts watches that it finds slow, and a new one more easily: it keeps 10 events for each. So the
// watch goes on from the last event that it saw.
type bindWatch struct {
	pods   metadata.Getter
	ended  chan struct{}
	cancel context.CancelFunc

	version string // of the last event; used by run only

	mu    sync.Mutex           // of all below
	times map[string]time.Time // of the bind, by namespace/name
	first time.Time
	last  time.Time
	lost  error // some binds may have been missed
}

// watchBinds sees the binds from now on, until stop.
func watchBinds(ctx context.Context, client metadata.Interface) (*bindWatch, error) {
	w := &bindWatch{pods: client.Resource(podsResource), ended: make(chan struct{}), times: map[string]time.Time{}}
	now, err := w.pods.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return nil, fmt.Errorf("cannot list pods: %w", err)
	}
	w.version = now.ResourceVersion
	ctx, w.cancel = context.WithCancel(ctx)
	go w.run(ctx)
	return w, nil
}

func (w *bindWatch) run(ctx context.Context) {
	defer close(w.ended)
	for ctx.Err() == nil {
		events, err := w.pods.Watch(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName!=", ResourceVersion: w.version})
		if err != nil {
			if ctx.Err() == nil {
				w.lose(fmt.Errorf("cannot watch pods: %w", err))
			}
			return
		}
		for event := range events.ResultChan() {
			w.see(time.Now(), event)
		}
		events.Stop()
	}
}

// see notes a bind.
func (w *bindWatch) see(now time.Time, event watch.Event) {
	pod, isPod := event.Object.(*metav1.PartialObjectMetadata)
	if !isPod || event.Type == watch.Deleted {
		w.lose(fmt.Errorf("the watch of pods saw %s of a %T: %v", event.Type, event.Object, event.Object))
		return
	}
	w.version = pod.ResourceVersion
	if event.Type != watch.Added {
		return // of a pod that was added before
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.times) == 0 {
		w.first = now
	}
	w.last = now
	w.times[pod.Namespace+"/"+pod.Name] = now
}

func (w *bindWatch) lose(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = errors.Join(w.lost, err)
}

// bound returns how many pods were bound, and an error when some may have been missed.
func (w *bindWatch) bound() (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.times), w.lost
}

// stop ends the watch. Afterwards the fields may be read.
func (w *bindWatch) stop() {
	w.cancel()
	<-w.ended
}

// countEvents returns how many events there are. It costs the API server one event and a count.
func countEvents(ctx context.Context, client metadata.Interface) (int, error) {
	list, err := client.Resource(eventsResource).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return 0, fmt.Errorf("cannot count events: %w", err)
	}
	n := len(list.Items)
	if list.RemainingItemCount != nil {
		n += int(*list.RemainingItemCount)
	}
	return n, nil
}
