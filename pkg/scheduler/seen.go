package scheduler

import (
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// seen is what the informers have told. The objects are those that they keep themselves.
type seen struct {
	mu    sync.Mutex // guards the maps
	pods  map[types.UID]*corev1.Pod
	nodes map[string]struct{}
}

func (s *seen) note(in engine.Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pods == nil {
		s.pods, s.nodes = map[types.UID]*corev1.Pod{}, map[string]struct{}{}
	}
	switch in := in.(type) {
	case engine.PodSeen:
		s.pods[in.Pod.UID] = in.Pod
	case engine.PodGone:
		delete(s.pods, in.Pod.UID)
	case engine.NodeSeen:
		s.nodes[in.Node.Name] = struct{}{}
	case engine.NodeGone:
		delete(s.nodes, in.Name)
	}
}

func (s *seen) copy() (pods map[types.UID]*corev1.Pod, nodes map[string]struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.pods), maps.Clone(s.nodes)
}

// see takes what informers tell.
func (s *Scheduler) see(in engine.Input) {
	s.seen.note(in)
	s.mail.put(in)
}

// Pods returns all pods that have not finished, those of other schedulers too. They must
// not be changed.
func (s *Scheduler) Pods() []*corev1.Pod {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	return slices.Collect(maps.Values(s.seen.pods))
}
