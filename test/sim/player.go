package sim

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Player applies operations to a cluster.
type Player struct {
	Cluster  *cluster.Cluster
	Compiler *podspec.Compiler

	specs map[*corev1.Pod]*podspec.Pod
	marks []int // open levels of the Try
}

// NewPlayer returns a player with an empty cluster.
func NewPlayer() *Player {
	compiler := podspec.NewCompiler()
	return &Player{
		Cluster: cluster.New(compiler.Resources), Compiler: compiler, specs: map[*corev1.Pod]*podspec.Pod{},
	}
}

// Spec compiles a pod, each object once.
func (p *Player) Spec(pod *corev1.Pod) *podspec.Pod {
	if p.specs[pod] == nil {
		p.specs[pod] = p.Compiler.Compile(pod)
	}
	return p.specs[pod]
}

// Play applies one operation.
func (p *Player) Play(o Op) {
	c, try := p.Cluster, p.Cluster.Try()
	switch o.Verb {
	case SetNode:
		c.SetNode(o.Node)
	case RemoveNode:
		c.RemoveNode(o.Name)
	case SetPod:
		c.SetPod(p.Spec(o.Pod))
	case Assume:
		c.Assume(p.Spec(o.Pod), p.row(o.Name))
	case AssumeOn:
		c.AssumeOn(p.Spec(o.Pod), o.Name)
	case Forget:
		c.Forget(o.UID)
	case Remove:
		c.Remove(o.UID)
	case SetNamespace:
		c.SetNamespace(o.Namespace.Name, o.Namespace.Labels)
	case RemoveNamespace:
		c.RemoveNamespace(o.Name)
	case TryAdd:
		try.Add(p.Spec(o.Pod), p.row(o.Name))
	case TryRemove:
		try.Remove(o.UID)
	case TryMark:
		p.marks = append(p.marks, try.Mark())
	case TryRollback:
		try.Rollback(p.marks[o.Level])
		p.marks = p.marks[:o.Level]
	}
}

func (p *Player) row(node string) int32 {
	row, known := p.Cluster.Row(node)
	if !known {
		panic(fmt.Sprintf("BUG: sim: a tape puts a pod on %s, which is not there", node))
	}
	return row
}
