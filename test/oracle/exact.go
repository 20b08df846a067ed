package oracle

import (
	"math"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Whether a sum or a product leaves int64 is counted here in numbers without an end.

// exact is amounts of resources in smallest units: milli-CPU, and one of anything else.
type exact map[corev1.ResourceName]*big.Int

func (e exact) add(list corev1.ResourceList) {
	for name, q := range list {
		if e[name] == nil {
			e[name] = new(big.Int)
		}
		e[name].Add(e[name], unitsOf(name, q))
	}
}

// addPod adds everything that a pod's spec or status asks for, so at least what any
// way of counting may come to.
func (e exact) addPod(p *corev1.Pod) {
	e.add(p.Spec.Overhead)
	e.add(p.Status.AllocatedResources)
	for _, r := range []*corev1.ResourceRequirements{p.Spec.Resources, p.Status.Resources} {
		if r != nil {
			e.add(r.Requests)
		}
	}
	for _, containers := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range containers {
			e.add(containers[i].Resources.Requests)
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range statuses {
			e.add(statuses[i].AllocatedResources)
			if r := statuses[i].Resources; r != nil {
				e.add(r.Requests)
			}
		}
	}
}

// beyond reports whether times the amount of a resource is more than an int64 holds.
func (e exact) beyond(name corev1.ResourceName, times int64) bool {
	have := e[name]
	return have != nil && new(big.Int).Mul(have, big.NewInt(times)).CmpAbs(big.NewInt(math.MaxInt64)) > 0
}

// anyBeyond reports the same of any resource.
func (e exact) anyBeyond(times int64) bool {
	for name := range e {
		if e.beyond(name, times) {
			return true
		}
	}
	return false
}

// unitsOf counts a quantity, rounded away from zero.
func unitsOf(name corev1.ResourceName, q resource.Quantity) *big.Int {
	q = q.DeepCopy()
	dec := q.AsDec()
	n := new(big.Int).Set(dec.UnscaledBig())
	scale := int64(dec.Scale())
	if name == corev1.ResourceCPU {
		scale -= 3
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(scale, -scale)), nil)
	if scale <= 0 {
		return n.Mul(n, ten)
	}
	rest := new(big.Int)
	n.QuoRem(n, ten, rest)
	return n.Add(n, big.NewInt(int64(rest.Sign())))
}

// loadOf is everything that counts on a node when the pod of a question is placed
// there, and what the node offers, apart.
func (q *Question) loadOf(node string) (asked, offered exact) {
	asked, offered = exact{}, exact{}
	asked.addPod(q.Pod)
	for _, p := range q.Bound {
		if p.Spec.NodeName == node {
			asked.addPod(p)
		}
	}
	for _, p := range q.Nominated {
		if p.Status.NominatedNodeName == node {
			asked.addPod(p)
		}
	}
	for _, n := range q.Nodes {
		if n.Name == node {
			offered.add(n.Status.Allocatable)
		}
	}
	return asked, offered
}
