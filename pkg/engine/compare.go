package engine

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Mismatch is how the engine differs from what exists. Missed is what it does not know,
// redundant what is not there.
type Mismatch struct {
	MissedNodes, RedundantNodes []string
	MissedPods, RedundantPods   []string // UIDs
}

// Empty reports whether there is no difference.
func (m *Mismatch) Empty() bool {
	return len(m.MissedNodes)+len(m.RedundantNodes)+len(m.MissedPods)+len(m.RedundantPods) == 0
}

// Compare holds the engine against all pods and nodes that exist. Pods that wait for
// another scheduler are nothing to it.
func (e *Engine) Compare(pods map[types.UID]*corev1.Pod, nodes map[string]struct{}) (m Mismatch) {
	view := &e.cluster.View
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		if _, known := view.Row(name); !known {
			m.MissedNodes = append(m.MissedNodes, name)
		}
	}
	for row := range view.Live().All() {
		if name := view.Name(row); !has(nodes, name) {
			m.RedundantNodes = append(m.RedundantNodes, name)
		}
	}
	for _, uid := range slices.Sorted(maps.Keys(pods)) {
		if p := pods[uid]; e.latest(p) == nil && (p.Spec.NodeName != "" || e.chains[p.Spec.SchedulerName] != nil) {
			m.MissedPods = append(m.MissedPods, string(uid))
		}
	}
	m.RedundantPods = e.notAmong(pods)
	return m
}

// notAmong returns the pods that the engine knows and that do not exist.
func (e *Engine) notAmong(pods map[types.UID]*corev1.Pod) (uids []string) {
	add := func(uid types.UID) {
		if !has(pods, uid) {
			uids = append(uids, string(uid))
		}
	}
	for uid := range e.pods {
		add(uid)
	}
	view := &e.cluster.View
	for row := range view.Live().All() {
		for p := range view.PodsOn(row) {
			add(p.UID)
		}
	}
	slices.Sort(uids)
	return slices.Compact(uids)
}

func has[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}
