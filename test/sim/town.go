package sim

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// healthy are the amounts that nodes of a town have, by index into kinds.
var healthy = [][]*resource.Quantity{
	quantities("1", "2", "4", "3900m", "7", "16"),
	quantities("1Gi", "4Gi", "8Gi", "7777777777", "32Gi"),
	quantities("-", "10Gi", "123456789", "50Gi"),
	quantities("-", "-", "1", "2", "8"),
	quantities("-", "-", "4"),
	quantities("-", "-", "64Mi"),
	quantities("-", "-", "3"),
}

// town draws a few nodes as they are in real clusters, with pods on them. Nothing but
// a lack of room keeps a pod away.
func (g *Gen) town() *World {
	w := &World{}
	houses := g.Between(2, 8)
	if g.Chance(2) { // over the end of a set's word
		houses = g.Between(62, 70)
	}
	for i := range houses {
		w.Nodes = append(w.Nodes, g.house(nodeName(i)))
	}
	for _, n := range w.Nodes {
		for range Pick(g, 0, 0, 1, 1, 2, 3) {
			p := g.worker(w.left(n), 20)
			p.Spec.NodeName = n.Name
			w.Bound = append(w.Bound, p)
		}
	}
	return g.Tame(w)
}

// house draws a node of a town.
func (g *Gen) house(name string) *corev1.Node {
	offer := corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(110, resource.DecimalSI)}
	for i := range healthy {
		if q := Pick(g, healthy[i]...); q != nil {
			offer[kinds[i].name] = q.DeepCopy()
		}
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: g.nodeLabels(name)},
		Status:     corev1.NodeStatus{Allocatable: offer},
	}
}

// left returns what the pods on a node leave of it.
func (w *World) left(n *corev1.Node) room {
	left := offered(n)
	for _, p := range w.On(n.Name) {
		left.subtract(p)
	}
	return left
}

// worker draws a pod that takes parts of some room, some of them in the middle of a
// resize.
func (g *Gen) worker(left room, resizing int) *corev1.Pod {
	list := corev1.ResourceList{}
	for i := range healthy {
		if free, known := left[kinds[i].name]; known && g.Chance(60) {
			list[kinds[i].name] = amount(kinds[i].name, free/int64(g.Between(2, 6)))
		}
	}
	p := g.citizen(list)
	if g.Chance(resizing) {
		g.resize(p)
	}
	return p
}

// citizen draws a pod that asks for a list, in one of the shapes that come to it.
func (g *Gen) citizen(list corev1.ResourceList) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: g.meta()}
	p.Spec.Priority = Pick(g, nil, nil, ptr(int32(0)), ptr(int32(10)), ptr(int32(-10)))
	if g.Chance(5) {
		p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	}
	Pick(g, shapes...)(g, p, list)
	for _, l := range listsOf(p) {
		g.tame(l)
	}
	return p
}

// small draws a pod that asks for next to nothing.
func (g *Gen) small(w *World) *corev1.Pod {
	list := corev1.ResourceList{}
	if g.Chance(70) {
		list[corev1.ResourceCPU] = amount(corev1.ResourceCPU, int64(g.Between(0, 300)))
	}
	if g.Chance(70) {
		list[corev1.ResourceMemory] = amount(corev1.ResourceMemory, g.Int64N(300_000_000))
	}
	p := &corev1.Pod{ObjectMeta: g.meta()}
	container(p, list)
	for range Pick(g, 0, 0, 1) {
		container(p, nil)
	}
	return p
}

// edge draws a pod at the edges of what is left on one of the nodes: all of it, one
// unit more or less, or a part.
func (g *Gen) edge(w *World) *corev1.Pod {
	left := w.left(Pick(g, w.Nodes...))
	list := corev1.ResourceList{}
	for i := range healthy {
		name := kinds[i].name
		free, known := left[name]
		switch n := g.IntN(100); {
		case !known && n < 5:
			list[name] = amount(name, int64(g.Between(0, 1)))
		case !known || n < 30:
		case n < 65:
			list[name] = amount(name, max(0, free+int64(g.Between(-1, 1))))
		default:
			list[name] = amount(name, free/int64(g.Between(2, 5)))
		}
	}
	return g.citizen(list)
}

// either draws a pod at the edges, or a small one.
func (g *Gen) either(w *World) *corev1.Pod {
	if g.Chance(50) {
		return g.small(w)
	}
	return g.edge(w)
}

// crowd lets a node take as many pods as it has, one more, or one less. Pods that are
// nominated there are pods as well.
func (g *Gen) crowd(w *World, n *corev1.Node) {
	pods := len(w.On(n.Name)) + g.Between(-1, 2)
	for _, p := range w.Pending {
		if p.Status.NominatedNodeName == n.Name && g.Chance(50) {
			pods++
		}
	}
	n.Status.Allocatable[corev1.ResourcePods] = *resource.NewQuantity(int64(max(0, pods)), resource.DecimalSI)
}

// extremes mostly adds a node with plenty of everything, or one with next to nothing,
// so that some nodes take the pod and some do not.
func (g *Gen) extremes(w *World) *World {
	if g.Chance(70) {
		n := g.house(nodeName(len(w.Nodes)))
		for i := range healthy {
			n.Status.Allocatable[kinds[i].name] = amount(kinds[i].name, most)
		}
		w.Nodes = append(w.Nodes, n)
	}
	if g.Chance(70) {
		n := g.house(nodeName(len(w.Nodes)))
		n.Status.Allocatable = corev1.ResourceList{
			corev1.ResourceCPU: amount(corev1.ResourceCPU, int64(g.Between(0, 1))), corev1.ResourcePods: amount(corev1.ResourcePods, 9),
		}
		w.Nodes = append(w.Nodes, n)
	}
	return w
}

// answers draws tolerations, most of them for taints that some node has.
func (g *Gen) answers(w *World) []corev1.Toleration {
	list := g.tolerations()
	for _, n := range w.Nodes {
		for _, t := range n.Spec.Taints {
			if g.Chance(70) {
				continue
			}
			answer := corev1.Toleration{Key: t.Key, Value: t.Value, Operator: corev1.TolerationOpEqual, Effect: Pick(g, t.Effect, t.Effect, "")}
			if g.Chance(40) {
				answer.Operator, answer.Value = corev1.TolerationOpExists, ""
			}
			list = append(list, answer)
		}
	}
	return list
}

// cordonToleration draws a toleration for cordons, or one that is not quite that.
func (g *Gen) cordonToleration() corev1.Toleration {
	return corev1.Toleration{
		Key:      Pick(g, corev1.TaintNodeUnschedulable, corev1.TaintNodeUnschedulable, corev1.TaintNodeUnschedulable, "a", ""),
		Operator: Pick(g, "", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpExists, corev1.TolerationOpGt),
		Value:    Pick(g, "", "", "", "x"),
		Effect:   Pick(g, "", corev1.TaintEffectNoSchedule, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute),
	}
}

func (g *Gen) gate(p *corev1.Pod) {
	for range g.Between(1, 2) {
		p.Spec.SchedulingGates = append(p.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: Pick(g, "b.example.com/x", "a", "quota")})
	}
}

func nodeNames(w *World) []string { return names(w.Nodes) }
