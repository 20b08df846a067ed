package workload

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Objects are what a workload consists of.
type Objects struct {
	Namespaces []*corev1.Namespace // besides default
	Services   []*corev1.Service
	Nodes      []*corev1.Node
	Bound      []*corev1.Pod // have a node from the start
	Pending    []*corev1.Pod // are what is measured
}

// FullNodes returns how many nodes a workload has at full size.
func (s *Set) FullNodes(name string) (int, error) {
	ops, known := s.Workloads[name]
	if !known {
		return 0, fmt.Errorf("there is no workload %q, only %v", name, s.Names())
	}
	return ops[0].Count, nil
}

// FullPods returns how many pods a workload measures at a number of nodes.
func (s *Set) FullPods(name string, nodes int) (int, error) {
	if _, err := s.FullNodes(name); err != nil {
		return 0, err
	}
	ops := s.Workloads[name]
	return scaled(ops[len(ops)-1].Count, nodes, ops[0].Count), nil
}

// Build makes the objects of a workload at a number of nodes, with as many measured pods as asked for.
func (s *Set) Build(name string, nodes, pods int) (*Objects, error) {
	full, err := s.FullNodes(name)
	if err != nil {
		return nil, err
	}
	b := &builder{set: s, nodes: nodes, full: full, pods: pods, out: &Objects{}}
	for _, op := range s.Workloads[name] {
		if err := b.add(op); err != nil {
			return nil, fmt.Errorf("workload %s: %w", name, err)
		}
	}
	return b.out, nil
}

// scaled returns n at a smaller or larger number of nodes, rounded, and at least 1.
func scaled(n, nodes, full int) int { return max(1, (n*nodes+full/2)/full) }

// builder makes the objects of one operation after the other.
type builder struct {
	set               *Set
	nodes, full, pods int
	made              int // pods
	out               *Objects
}

func (b *builder) add(op Op) error {
	switch {
	case op.Nodes != "":
		return b.addNodes(b.set.NodeTypes[op.Nodes])
	case op.Service != nil:
		b.addNamespace(op.Service.NS, nil)
		b.out.Services = append(b.out.Services, &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Name: "service", Namespace: or(op.Service.NS, metav1.NamespaceDefault)},
			Spec:       corev1.ServiceSpec{Selector: op.Service.Sel, Ports: []corev1.ServicePort{{Port: 80}}},
		})
		return nil
	case op.Measure:
		return b.addPods(op, b.pods, "pod", &b.out.Pending)
	default:
		return b.addPods(op, scaled(op.Count, b.nodes, b.full), "init", &b.out.Bound)
	}
}

func (b *builder) addNodes(t NodeType) error {
	for i := range b.nodes {
		node, err := t.node(i)
		if err != nil {
			return err
		}
		b.out.Nodes = append(b.out.Nodes, node)
	}
	return nil
}

func (b *builder) addPods(op Op, n int, prefix string, to *[]*corev1.Pod) error {
	if op.Bound == OnePerNode && n > b.nodes {
		return fmt.Errorf("cannot put %d pods on %d nodes, one each", n, b.nodes)
	}
	for j := range n {
		namespace, err := expand(op.NS, "", b.made)
		if err != nil {
			return err
		}
		b.addNamespace(namespace, op.NSLabels)
		pod, err := b.set.PodTypes[op.Pods].pod(fmt.Sprintf("%s-%05d", prefix, b.made), namespace, b.made)
		if err != nil {
			return err
		}
		b.made++
		if op.Bound != "" {
			pod.Spec.NodeName = nodeName(op.Bound.node(j, n, b.nodes))
		}
		*to = append(*to, pod)
	}
	return nil
}

// node returns which of the nodes the j-th of n pods is on.
func (p Place) node(j, n, nodes int) int {
	if p == SpreadEvenly && n < nodes {
		return j * nodes / n
	}
	return j % nodes
}

// addNamespace adds a namespace that is neither default nor added yet.
func (b *builder) addNamespace(name string, labels map[string]string) {
	known := func(ns *corev1.Namespace) bool { return ns.Name == name }
	if name != "" && !slices.ContainsFunc(b.out.Namespaces, known) {
		b.out.Namespaces = append(b.out.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})
	}
}
