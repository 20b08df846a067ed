package podspec

import (
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Where is the nodes on which pods count for a spread constraint. The zero value is all
// of them.
type Where struct {
	Key      string   // spells out all of it; "" for all nodes
	Labels   []string // keys that a node must have
	Affinity bool     // the pod's node selector and required node affinity must match
	Taints   bool     // no taint may keep the pod away
}

// NewWhere returns the nodes that have all keys and that the pod's node affinity, and
// its tolerations, take; each only if it is to be honoured.
func NewWhere(p *Pod, keys []string, affinity, taints bool) Where {
	w := Where{Labels: keys, Affinity: affinity && p.nodes != "", Taints: taints}
	if len(keys) == 0 && !taints { // most pods
		if w.Affinity {
			w.Key = p.nodes
		}
		return w
	}
	var b strings.Builder
	for _, key := range keys {
		b.WriteString(key)
		b.WriteByte(0)
	}
	if w.Affinity {
		b.WriteString(p.nodes)
	}
	if taints {
		b.WriteString("\x00taints")
		b.WriteString(encoded(p.Tolerations))
	}
	w.Key = b.String()
	return w
}

// nodesKey spells out which nodes a pod selects.
func nodesKey(s *corev1.PodSpec) string {
	var required *corev1.NodeSelector
	if s.Affinity != nil && s.Affinity.NodeAffinity != nil {
		required = s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	if len(s.NodeSelector) == 0 && required == nil { // most pods
		return ""
	}
	return encoded([]any{s.NodeSelector, required})
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("BUG: podspec: a part of a pod cannot be encoded: " + err.Error())
	}
	return string(text)
}
