package sim

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// World is a cluster as API objects.
type World struct {
	Nodes   []*corev1.Node
	Bound   []*corev1.Pod // on nodes; some on a node that does not exist
	Pending []*corev1.Pod

	Namespaces []*corev1.Namespace // that exist
	Services   []*corev1.Service
	Backers    []Backer
}

// On returns the pods bound to a node.
func (w *World) On(node string) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, p := range w.Bound {
		if p.Spec.NodeName == node {
			pods = append(pods, p)
		}
	}
	return pods
}

// Load puts the world into columns. Nodes that are gone again leave free rows
// between the others, and every other pod comes before its node.
func (w *World) Load(c *podspec.Compiler) *cluster.Cluster {
	cl := cluster.New(c.Resources)
	for _, n := range w.Namespaces {
		cl.SetNamespace(n.Name, n.Labels)
	}
	for _, s := range w.Services {
		cl.SetService(s.Namespace, s.Name, s.Spec.Selector)
	}
	for _, b := range w.Backers {
		cl.SetController(b.Controller, b.Selector)
	}
	for i, p := range w.Bound {
		if i%2 == 1 {
			cl.SetPod(c.Compile(p))
		}
	}
	for i, n := range w.Nodes {
		if i%3 == 0 {
			cl.SetNode(ghost(i))
		}
		cl.SetNode(n)
	}
	for i, p := range w.Bound {
		if i%2 == 0 {
			cl.SetPod(c.Compile(p))
		}
	}
	for i := range w.Nodes {
		cl.RemoveNode(ghost(i).Name)
	}
	return cl
}

// ghost is a node that is removed again. It has what could be left behind.
func ghost(i int) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("ghost%d", i), Labels: map[string]string{"disk": "ghost", "gen": "150"}},
		Spec: corev1.NodeSpec{
			Unschedulable: true,
			Taints:        []corev1.Taint{{Key: "ghost", Effect: corev1.TaintEffectNoSchedule}},
		},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{
				corev1.ResourceCPU: amount(corev1.ResourceCPU, 1000), corev1.ResourcePods: amount(corev1.ResourcePods, 5),
			},
			Images:           []corev1.ContainerImage{{Names: []string{"ghost:latest"}, SizeBytes: 1 << 30}},
			DeclaredFeatures: nodeFeatures,
		},
	}
}

// String draws the world: a line for each node, below it its pods, at the end the
// pods that no node has.
func (w *World) String() string {
	var b strings.Builder
	known := map[string]bool{}
	for _, n := range w.Nodes {
		known[n.Name] = true
		fmt.Fprintln(&b, NodeLine(n))
		for _, p := range w.On(n.Name) {
			fmt.Fprintln(&b, "  "+PodLine(p))
		}
	}
	for _, p := range w.Bound {
		if !known[p.Spec.NodeName] {
			fmt.Fprintln(&b, PodLine(p))
		}
	}
	for _, p := range w.Pending {
		fmt.Fprintln(&b, PodLine(p))
	}
	return b.String()
}
