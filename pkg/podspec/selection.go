package podspec

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
)

// Term selects pods by namespace and labels, and relates nodes by a label's value.
type Term struct {
	fwk.AffinityTerm
	Key string // spells out all of it
}

// WeightedTerm is a Term that counts for or against a node.
type WeightedTerm struct {
	Term
	Weight int64     // negative: against
	Pods   Selection // that the term selects
}

// Selection is the pods that a counter counts: those that all terms select, wherever
// their nodes are.
type Selection struct {
	Key         string // spells out all of it
	Terms       []Term
	Terminating bool // pods that are being deleted count as well
}

func newTerm(t fwk.AffinityTerm) Term {
	var b strings.Builder
	writeSelected(&b, &t)
	b.WriteByte(0)
	b.WriteString(t.TopologyKey)
	return Term{AffinityTerm: t, Key: b.String()}
}

// selectionOf returns the pods that all of terms select.
func selectionOf(terminating bool, terms ...Term) Selection {
	var b strings.Builder
	if terminating {
		b.WriteByte('+')
	}
	for i := range terms {
		b.WriteByte('\n')
		writeSelected(&b, &terms[i].AffinityTerm)
	}
	return Selection{Key: b.String(), Terms: terms, Terminating: terminating}
}

// labelled returns the pods of a namespace whose labels a selector matches, without
// those that are being deleted.
func labelled(namespace string, selector labels.Selector) Selection {
	return selectionOf(false, Term{AffinityTerm: fwk.AffinityTerm{
		Namespaces: sets.New(namespace), NamespaceSelector: labels.Nothing(), Selector: selector,
	}})
}

func writeSelected(b *strings.Builder, t *fwk.AffinityTerm) {
	b.WriteString(strings.Join(sets.List(t.Namespaces), ","))
	writeSelector(b, t.NamespaceSelector)
	writeSelector(b, t.Selector)
}

// writeSelector tells a selector that matches nothing from one that matches all: both
// print as nothing.
func writeSelector(b *strings.Builder, s labels.Selector) {
	if _, selectable := s.Requirements(); !selectable {
		b.WriteString("\x00-")
		return
	}
	b.WriteString("\x00=")
	b.WriteString(s.String())
}
