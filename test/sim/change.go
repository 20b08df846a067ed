package sim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
)

// Change is what happened to one node or one pod. Nothing before: it came; nothing
// after: it went.
type Change struct {
	NodeBefore, NodeAfter *corev1.Node
	PodBefore, PodAfter   *corev1.Pod
}

// Changes draws a few things that may happen in a world in which pod waits.
func (g *Gen) Changes(w *World, pod *corev1.Pod) []Change {
	var list []Change
	for range g.Between(2, 4) {
		switch {
		case g.Chance(50):
			list = append(list, g.nodeChange(w, pod))
		case g.Chance(50) && len(w.Bound) > 0:
			list = append(list, g.boundChange(w))
		default:
			list = append(list, Change{PodBefore: pod, PodAfter: g.changedPod(pod)})
		}
	}
	return list
}

func (g *Gen) nodeChange(w *World, pod *corev1.Pod) Change {
	before := Pick(g, w.Nodes...)
	after := before.DeepCopy()
	switch g.IntN(10) {
	case 0:
		return Change{NodeBefore: before}
	case 1, 2:
		after.Name = "new"
		if g.Chance(50) {
			after = g.house("new")
		}
		g.alter(after, pod)
		return Change{NodeAfter: after}
	case 3:
		g.look(after)
	default:
		g.alter(after, pod)
	}
	return Change{NodeBefore: before, NodeAfter: after}
}

// alter changes what rules read of a node: mostly one thing, sometimes more.
func (g *Gen) alter(n *corev1.Node, pod *corev1.Pod) {
	for range Pick(g, 1, 1, 1, 2, 3) {
		switch g.IntN(12) {
		case 0:
			n.Spec.Unschedulable = !n.Spec.Unschedulable
		case 1:
			n.Spec.Taints = g.taints()
		case 2:
			n.Spec.Taints = nil
		case 3:
			n.Spec.Taints = append(n.Spec.Taints, g.taints()...)
		case 4:
			pods := n.Status.Allocatable[corev1.ResourcePods]
			n.Status.Allocatable[corev1.ResourcePods] = *resource.NewQuantity(max(0, units(corev1.ResourcePods, pods)/2+int64(g.Between(-1, 1))), resource.DecimalSI)
		case 5:
			pods := n.Status.Allocatable[corev1.ResourcePods]
			pods.Add(resource.MustParse("1"))
			n.Status.Allocatable[corev1.ResourcePods] = pods
		case 6:
			n.Status.DeclaredFeatures = g.declared()
		case 7:
			g.relabel(n, pod)
		default:
			g.resizeNode(n, pod)
		}
	}
}

// resizeNode brings one resource of a node to what the pod asks for, or near it, or
// changes it a little.
func (g *Gen) resizeNode(n *corev1.Node, pod *corev1.Pod) {
	asked := helpers.PodRequests(pod, helpers.PodResourcesOptions{})
	i := g.IntN(len(healthy))
	if g.Chance(60) { // one that counts
		for k := range healthy {
			if q, ok := asked[kinds[k].name]; ok && !q.IsZero() && g.Chance(50) {
				i = k
				break
			}
		}
	}
	name := kinds[i].name
	have := n.Status.Allocatable[name]
	switch want, ok := asked[name]; {
	case g.Chance(10):
		delete(n.Status.Allocatable, name)
	case ok && g.Chance(50) && units(name, want) < most:
		n.Status.Allocatable[name] = amount(name, max(0, units(name, want)+int64(g.Between(-1, 2))))
	case units(name, have) <= most:
		n.Status.Allocatable[name] = amount(name, max(0, units(name, have)*int64(g.Between(0, 2))+int64(g.Between(-1, 1))))
	}
}

// relabel changes a node's labels, mostly to what the pod's node selector wants.
func (g *Gen) relabel(n *corev1.Node, pod *corev1.Pod) {
	n.Labels = g.nodeLabels(n.Name)
	n.Labels["gen"] = Pick(g, "1", "2", "10", "x")
	for key, value := range pod.Spec.NodeSelector {
		n.Labels[key] = value
	}
}

// look changes what no rule of the default plugins reads of a node.
func (g *Gen) look(n *corev1.Node) {
	switch g.IntN(3) {
	case 0:
		n.Status.Images = append(n.Status.Images, g.image())
	case 1:
		n.Annotations = map[string]string{"note": Pick(g, "x", "y")}
	default:
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeReady, Status: Pick(g, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown),
		})
	}
}

// boundChange lets something happen to a pod on a node.
func (g *Gen) boundChange(w *World) Change {
	p := Pick(g, w.Bound...)
	if shy := slices.DeleteFunc(slices.Clone(w.Bound), isOpen); len(shy) > 0 && g.Chance(50) {
		p = Pick(g, shy...) // who keeps others away
	}
	switch g.IntN(4) {
	case 0:
		p = p.DeepCopy()
		p.Name, p.UID = "new", "uid-new"
		return Change{PodAfter: p}
	case 1:
		return Change{PodBefore: p}
	}
	return Change{PodBefore: p, PodAfter: g.changedPod(p)}
}

// isOpen reports whether a pod keeps no others away.
func isOpen(p *corev1.Pod) bool {
	a := p.Spec.Affinity
	return a == nil || a.PodAntiAffinity == nil || len(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) == 0
}

// changedPod returns a later state of a pod.
func (g *Gen) changedPod(p *corev1.Pod) *corev1.Pod {
	p = p.DeepCopy()
	if len(p.Spec.SchedulingGates) > 0 && g.Chance(40) {
		p.Spec.SchedulingGates = p.Spec.SchedulingGates[:g.IntN(2)]
	}
	if len(p.Status.ContainerStatuses) > 0 && g.Chance(15) {
		g.pend(p)
	}
	switch g.IntN(8) {
	case 0:
		if n := len(p.Spec.Tolerations); n > 0 && g.Chance(25) { // no other number of them
			p.Spec.Tolerations[g.IntN(n)] = g.toleration()
		} else {
			p.Spec.Tolerations = append(p.Spec.Tolerations, g.toleration())
		}
	case 5:
		if len(p.Spec.Containers) > 0 {
			g.need(p)
		}
	case 1:
		p.Spec.Tolerations = append(p.Spec.Tolerations, g.cordonToleration())
	case 2:
		p.Labels = g.podLabels()
	case 3:
		p.Annotations = map[string]string{"note": "x"}
	case 4:
		p.Status.ResourceClaimStatuses = append(p.Status.ResourceClaimStatuses, corev1.PodResourceClaimStatus{Name: "c", ResourceClaimName: ptr("c-1")})
	default:
		g.rescale(p)
	}
	return p
}

// rescale changes what the containers of a pod ask for: some less, some more.
func (g *Gen) rescale(p *corev1.Pod) {
	for _, list := range listsOf(p) {
		for _, name := range sortedNames(list) {
			have := units(name, list[name])
			switch {
			case g.Chance(40):
				list[name] = amount(name, have/2)
			case g.Chance(30) && have < most:
				list[name] = amount(name, have+1)
			case g.Chance(10) && name == corev1.ResourceMemory && have > 0 && have < most: // parts of a byte
				list[name] = *resource.NewMilliQuantity(have*1000-int64(g.Between(1, 999)), resource.DecimalSI)
			case g.Chance(5):
				delete(list, name)
			}
		}
	}
}
