package e2e

import (
	"context"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// sighting is a pod that came to a node or left one, in the order of revisions.
type sighting struct {
	pod, app string
	node     string
	gone     bool
}

// sightings is what a watch of pods tells, without a gap.
type sightings struct {
	mu   sync.Mutex // of list and on
	list []sighting
	on   map[string]bool
}

// watchPods collects sightings from now to the end of the test.
func watchPods(t *testing.T, ctx context.Context, client kubernetes.Interface) *sightings {
	t.Helper()
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	before, err := pods.List(ctx, metav1.ListOptions{Limit: 1})
	must(t, err)
	w, err := watchtools.NewRetryWatcherWithContext(ctx, before.ResourceVersion, &cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) { return pods.Watch(ctx, o) },
	})
	must(t, err)
	s, ended := &sightings{on: map[string]bool{}}, make(chan struct{})
	go func() {
		defer close(ended)
		for e := range w.ResultChan() {
			if p, ok := e.Object.(*corev1.Pod); ok {
				s.see(p, e.Type == watch.Deleted)
			}
		}
	}()
	t.Cleanup(func() { w.Stop(); <-ended })
	return s
}

func (s *sightings) see(p *corev1.Pod, gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Spec.NodeName == "" || s.on[p.Name] != gone {
		return
	}
	s.on[p.Name] = !gone
	s.list = append(s.list, sighting{p.Name, p.Labels["app"], p.Spec.NodeName, gone})
}

// all returns what was seen so far.
func (s *sightings) all() []sighting {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]sighting{}, s.list...)
}
