package cluster

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/intern"
)

// taintSets numbers the distinct lists of taints that nodes carry, so that a pod's
// tolerations are held against each list once and not against each node. A number
// is reused when its last node has gone.
type taintSets struct {
	ids   intern.Pool[string]
	lists [][]corev1.Taint // by number
}

func (s *taintSets) acquire(taints []corev1.Taint) int32 {
	id := s.ids.Acquire(taintKey(taints))
	for len(s.lists) <= int(id) {
		s.lists = append(s.lists, nil)
	}
	s.lists[id] = taints
	return id
}

func (s *taintSets) release(id int32) {
	s.ids.Release(id)
	if s.ids.Refs(id) == 0 {
		s.lists[id] = nil
	}
}

// taintKey spells a list out. Order counts, as the first untolerated taint of a
// list is what some messages name.
func taintKey(taints []corev1.Taint) string {
	var b strings.Builder
	for i := range taints {
		t := &taints[i]
		b.WriteString(t.Key)
		b.WriteByte('=')
		b.WriteString(t.Value)
		b.WriteByte(':')
		b.WriteString(string(t.Effect))
		b.WriteByte('\n')
	}
	return b.String()
}
