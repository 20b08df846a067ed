package podspec

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// kindOf spells out what selectors look at: two pods of one kind are selected by the
// same ones. Names and labels hold no zero byte, so that equal keys mean equal parts.
func kindOf(p *corev1.Pod) string {
	var b strings.Builder
	b.WriteString(p.Namespace)
	if p.DeletionTimestamp != nil {
		b.WriteString("\x00\x00deleting")
	}
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		b.WriteByte(0)
		b.WriteString(key)
		b.WriteByte('=') // which no key holds
		b.WriteString(p.Labels[key])
	}
	return b.String()
}
