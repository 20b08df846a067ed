package sim

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Verb is what an operation on a cluster does.
type Verb string

// The verbs of a tape, named after the methods.
const (
	SetNode     Verb = "SetNode"
	RemoveNode  Verb = "RemoveNode"
	SetPod      Verb = "SetPod"
	Assume      Verb = "Assume"
	AssumeOn    Verb = "AssumeOn"
	Forget      Verb = "Forget"
	Remove      Verb = "Remove"
	TryAdd      Verb = "Try.Add"
	TryRemove   Verb = "Try.Remove"
	TryMark     Verb = "Try.Mark"
	TryRollback Verb = "Try.Rollback"

	SetNamespace    Verb = "SetNamespace"
	RemoveNamespace Verb = "RemoveNamespace"
)

// Op is one operation. Which fields count depends on the verb.
type Op struct {
	Verb  Verb
	Node  *corev1.Node
	Name  string // of a node
	Pod   *corev1.Pod
	UID   types.UID
	Level int // of a rollback: how many marks stay

	Namespace *corev1.Namespace
}

// String is one line.
func (o Op) String() string {
	text := string(o.Verb)
	switch o.Verb {
	case SetNode:
		return text + " " + NodeLine(o.Node)
	case RemoveNode, RemoveNamespace:
		return text + " " + o.Name
	case SetNamespace:
		return text + " " + o.Namespace.Name + " " + mapText(o.Namespace.Labels)
	case SetPod:
		return text + " " + PodLine(o.Pod)
	case Assume, AssumeOn, TryAdd:
		return text + " " + o.Name + " " + PodLine(o.Pod)
	case Forget, Remove, TryRemove:
		return text + " " + string(o.UID)
	case TryRollback:
		return fmt.Sprintf("%s to level %d", text, o.Level)
	}
	return text
}

// tape is what must be known of a cluster to say something sensible about it next.
type tape struct {
	*Gen
	nodes []string // known ones
	pods  []*corev1.Pod
	gone  []types.UID
	marks int // open ones
	ops   []Op
}

var tapeNodes = []string{"n0", "n1", "n2", "n3", "n4", "n5"}

// Tape draws n operations, or a few more: a Try that is open at the end is taken
// back. All are allowed where they stand. Some have no effect, such as the removal
// of a pod that is not there.
func (g *Gen) Tape(n int) []Op {
	t := &tape{Gen: g}
	for len(t.ops) < n {
		if t.marks > 0 {
			t.ops = append(t.ops, t.whatIf())
		} else {
			t.ops = append(t.ops, t.change())
		}
	}
	if t.marks > 0 {
		t.ops = append(t.ops, Op{Verb: TryRollback})
	}
	return t.ops
}

// change draws an operation that stays.
func (t *tape) change() Op {
	switch Pick(t.Gen, SetNode, SetNode, RemoveNode, SetPod, SetPod, SetPod, Assume, Assume, AssumeOn, Forget, Remove, TryMark) {
	case SetNode:
		return t.setNode()
	case RemoveNode:
		return t.removeNode()
	case Assume:
		if len(t.nodes) == 0 {
			return t.setNode()
		}
		p := t.pod(nil)
		t.pods = append(t.pods, p)
		return Op{Verb: Assume, Pod: p, Name: Pick(t.Gen, t.nodes...)}
	case AssumeOn:
		p, name := t.seen(), Pick(t.Gen, tapeNodes...)
		return Op{Verb: AssumeOn, Pod: p, Name: name}
	case Forget:
		return Op{Verb: Forget, UID: t.anyUID()} // one that is bound stays
	case Remove:
		return t.remove()
	case TryMark:
		t.marks++
		return Op{Verb: TryMark}
	}
	p := t.seen()
	p.Spec.NodeName = Pick(t.Gen, tapeNodes...)
	return Op{Verb: SetPod, Pod: p}
}

// whatIf draws an operation while a Try is open.
func (t *tape) whatIf() Op {
	switch {
	case t.Chance(25):
		t.marks = t.IntN(t.marks)
		return Op{Verb: TryRollback, Level: t.marks}
	case t.Chance(20):
		t.marks++
		return Op{Verb: TryMark}
	case t.Chance(50) && len(t.nodes) > 0:
		p := t.pod(nil)
		if t.Chance(30) && len(t.pods) > 0 { // a pod that is on a node already counts twice
			p = Pick(t.Gen, t.pods...)
		}
		return Op{Verb: TryAdd, Pod: p, Name: Pick(t.Gen, t.nodes...)}
	}
	return Op{Verb: TryRemove, UID: t.anyUID()}
}

func (t *tape) setNode() Op {
	n := t.Node(Pick(t.Gen, tapeNodes...))
	if !slices.Contains(t.nodes, n.Name) {
		t.nodes = append(t.nodes, n.Name)
	}
	return Op{Verb: SetNode, Node: n}
}

func (t *tape) removeNode() Op {
	name := Pick(t.Gen, tapeNodes...)
	t.nodes = slices.DeleteFunc(t.nodes, func(known string) bool { return known == name })
	return Op{Verb: RemoveNode, Name: name}
}

func (t *tape) remove() Op {
	id := t.anyUID()
	t.pods = slices.DeleteFunc(t.pods, func(p *corev1.Pod) bool { return p.UID == id })
	t.gone = append(t.gone, id)
	return Op{Verb: Remove, UID: id}
}

// seen draws a pod that is new, or another state of one that is known.
func (t *tape) seen() *corev1.Pod {
	p := t.pod(nil)
	if len(t.pods) == 0 || t.Chance(50) {
		t.pods = append(t.pods, p)
	} else {
		i := t.IntN(len(t.pods))
		p.ObjectMeta = t.pods[i].ObjectMeta
		t.pods[i] = p
	}
	if t.Chance(30) {
		t.resize(p)
	}
	return p
}

// anyUID draws a pod, mostly one that is there.
func (t *tape) anyUID() types.UID {
	switch {
	case len(t.pods) > 0 && t.Chance(85):
		return Pick(t.Gen, t.pods...).UID
	case len(t.gone) > 0:
		return Pick(t.Gen, t.gone...)
	}
	return "uid-none"
}
