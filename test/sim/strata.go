package sim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Stratum is a family of worlds in which one rule has much to say, and in which some
// nodes take the pod and others do not. The pod in question is the first pending one;
// others that are nominated count beside it.
type Stratum struct {
	Name  string
	share int // of all draws
	draw  func(g *Gen) *World
}

// strata are the families. A plugin gets its own: worlds at the edges of its rule.
var strata = []Stratum{
	{"wild", 6, (*Gen).World},
	{"tame", 4, func(g *Gen) *World { return g.Tame(g.World()) }},
	{"furnished", 6, func(g *Gen) *World { return g.Tame(g.Furnished()) }},
	{"room", 20, (*Gen).roomWorld},
	{"crowd", 8, (*Gen).crowdWorld},
	{"taints", 12, (*Gen).taintWorld},
	{"cordon", 8, (*Gen).cordonWorld},
	{"named", 4, (*Gen).namedWorld},
	{"nominated", 12, (*Gen).nominatedWorld},
	{"scores", 12, (*Gen).scoreWorld},
	{"affinity", 18, (*Gen).affinityWorld},
	{"ports", 8, (*Gen).portWorld},
	{"images", 8, (*Gen).imageWorld},
	{"features", 8, (*Gen).featureWorld},
	{"all", 10, (*Gen).everythingWorld},
	{"spread", 16, (*Gen).spreadWorld},
	{"shared", 8, (*Gen).sharedWorld},
	{"near", 12, (*Gen).nearWorld},
	{"far", 14, (*Gen).farWorld},
	{"related", 3, func(g *Gen) *World { return g.Tame(g.Related()) }},
}

// Strata returns the families.
func Strata() []Stratum { return strata }

// Stratum draws one of the families.
func (g *Gen) Stratum() Stratum {
	var sum int
	for _, s := range strata {
		sum += s.share
	}
	n := g.IntN(sum)
	for _, s := range strata {
		if n -= s.share; n < 0 {
			return s
		}
	}
	panic("BUG: sim: the shares do not add up")
}

// Draw draws a world with at least one node and one pending pod.
func (s Stratum) Draw(g *Gen) *World {
	for {
		if w := s.draw(g); len(w.Nodes) > 0 && len(w.Pending) > 0 {
			if g.Chance(6) {
				g.gate(w.Pending[0])
			}
			return w
		}
	}
}

// roomWorld is about resources: the pod is cut to one node's free room.
func (g *Gen) roomWorld() *World {
	w := g.town()
	p := g.edge(w)
	if g.Chance(12) {
		g.resizeTamely(p)
	}
	w.Pending = append(w.Pending, p)
	return g.extremes(w)
}

// crowdWorld is about the number of pods.
func (g *Gen) crowdWorld() *World {
	w := g.town()
	for _, n := range w.Nodes {
		g.crowd(w, n)
	}
	w.Pending = append(w.Pending, g.either(w))
	return g.extremes(w)
}

// taintWorld is about taints, and who tolerates them.
func (g *Gen) taintWorld() *World {
	w := g.town()
	for _, n := range w.Nodes {
		n.Spec.Taints = g.taints()
	}
	p := g.small(w)
	p.Spec.Tolerations = g.answers(w)
	w.Pending = append(w.Pending, p)
	return w
}

// cordonWorld is about cordons, and who tolerates them.
func (g *Gen) cordonWorld() *World {
	w := g.town()
	for _, n := range w.Nodes {
		n.Spec.Unschedulable = g.Chance(50)
		if g.Chance(20) {
			n.Spec.Taints = g.taints()
		}
	}
	p := g.small(w)
	if g.Chance(60) {
		p.Spec.Tolerations = append(p.Spec.Tolerations, g.cordonToleration())
	}
	w.Pending = append(w.Pending, p)
	return w
}

// namedWorld is about a pod that names its node, or one that is not there.
func (g *Gen) namedWorld() *World {
	w := Pick(g, (*Gen).roomWorld, (*Gen).taintWorld, (*Gen).cordonWorld)(g)
	p := w.Pending[0]
	p.Spec.NodeName = Pick(g, nodeNames(w)...)
	if g.Chance(15) {
		p.Spec.NodeName = "lost"
	}
	if g.Chance(35) {
		p.Status.NominatedNodeName = Pick(g, nodeNames(w)...)
	}
	if g.Chance(25) { // and names nodes in another way as well
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{g.nameRequirement(w)}}},
		}}}
	}
	return w
}

// nominatedWorld is about pods that wait with a node in mind, and count there for
// pods that are not more important.
func (g *Gen) nominatedWorld() *World {
	w := g.town()
	p := g.either(w)
	p.Spec.Priority = ptr(int32(10))
	if g.Chance(30) {
		p.Status.NominatedNodeName = Pick(g, append(nodeNames(w), "lost")...)
	}
	w.Pending = append(w.Pending, p)
	for _, n := range w.Nodes {
		for range Pick(g, 0, 1, 1, 2) {
			other := g.worker(w.left(n), 0)
			other.Spec.Priority = Pick(g, nil, ptr(int32(9)), ptr(int32(10)), ptr(int32(10)), ptr(int32(11)))
			other.Status.NominatedNodeName = n.Name
			w.Pending = append(w.Pending, other)
		}
		if g.Chance(30) {
			g.crowd(w, n)
		}
	}
	return g.extremes(w)
}

// scoreWorld is about the better of several nodes that all take the pod. Some of its
// towns are rows of equal houses.
func (g *Gen) scoreWorld() *World {
	w := g.town()
	if g.Chance(30) {
		for _, n := range w.Nodes[1:] {
			n.Status.Allocatable = w.Nodes[0].Status.Allocatable.DeepCopy()
		}
		w.Bound = slices.DeleteFunc(w.Bound, func(*corev1.Pod) bool { return g.Chance(80) })
	}
	for _, n := range w.Nodes {
		for _, t := range g.taints() {
			if t.Effect = "PreferNoSchedule"; g.Chance(80) {
				n.Spec.Taints = append(n.Spec.Taints, t)
			}
		}
		n.Spec.Unschedulable = g.Chance(8)
	}
	p := g.small(w)
	if g.Chance(70) {
		p.Spec.Tolerations = g.answers(w)
	}
	if g.Chance(12) {
		g.resizeTamely(p)
	}
	w.Pending = append(w.Pending, p)
	return w
}

// everythingWorld is about several reasons at once.
func (g *Gen) everythingWorld() *World {
	w := g.roomWorld()
	for _, n := range w.Nodes {
		if g.Chance(30) {
			g.crowd(w, n)
		}
		if g.Chance(25) {
			n.Spec.Taints = g.taints()
		}
		n.Spec.Unschedulable = g.Chance(20)
	}
	p := w.Pending[0]
	if g.Chance(50) {
		p.Spec.Tolerations = g.answers(w)
	}
	if g.Chance(30) {
		p.Spec.NodeSelector = map[string]string{"disk": Pick(g, "ssd", "hdd", "")}
	}
	if g.Chance(30) {
		for _, other := range w.Bound {
			g.takePorts(other, 50)
		}
		g.takePorts(p, 100)
	}
	return w
}
