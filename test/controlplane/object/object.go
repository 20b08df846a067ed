// Package object makes Nodes and Pods in the shorthand of our cases.
//
// It is given a name and options: object.Node("n1", object.CPU("4"), object.Zone("z1")) is the case's
// N(n1, cpu=4, zone=z1), object.Pod("a", object.CPU("1"), object.OnNode("n1")) its P(a, cpu=1, on=n1).
// It promises API objects that the API server accepts as they are. What has no option here is written as a
// NodeFunc or PodFunc in the test.
package object

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NodeOption shapes a Node.
type NodeOption interface{ shapeNode(*corev1.Node) }

// PodOption shapes a Pod.
type PodOption interface{ shapePod(*corev1.Pod) }

// NodeFunc is a NodeOption made of a function.
type NodeFunc func(*corev1.Node)

func (f NodeFunc) shapeNode(node *corev1.Node) { f(node) }

// PodFunc is a PodOption made of a function.
type PodFunc func(*corev1.Pod)

func (f PodFunc) shapePod(pod *corev1.Pod) { f(pod) }

// Node returns a ready node with its hostname label, room for 110 pods and no other resource than the options say.
func Node(name string, options ...NodeOption) *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}},
		Status: corev1.NodeStatus{
			Capacity:    corev1.ResourceList{},
			Allocatable: corev1.ResourceList{},
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
	Resource(corev1.ResourcePods, "110").shapeNode(node)
	for _, option := range options {
		option.shapeNode(node)
	}
	return node
}

// Pod returns a pod with one container, in namespace default, that requests nothing but what the options say.
func Pod(name string, options ...PodOption) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "x"}}},
	}
	for _, option := range options {
		option.shapePod(pod)
	}
	return pod
}

// PriorityClasses returns the classes of our cases: neg, low, mid, high, vhigh.
func PriorityClasses() []*schedulingv1.PriorityClass {
	class := func(name string, value int32) *schedulingv1.PriorityClass {
		return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value}
	}
	return []*schedulingv1.PriorityClass{
		class("neg", -10), class("low", 100), class("mid", 500), class("high", 1000), class("vhigh", 10000),
	}
}

// Both is an option of Nodes and Pods.
type Both struct {
	NodeFunc
	PodFunc
}

// CPU is what a node offers or a pod requests.
func CPU(quantity string) Both { return Resource(corev1.ResourceCPU, quantity) }

// Memory is what a node offers or a pod requests.
func Memory(quantity string) Both { return Resource(corev1.ResourceMemory, quantity) }

// Resource is what a node offers, in capacity and allocatable, or a pod's container requests. A quantity that does
// not parse panics.
func Resource(name corev1.ResourceName, quantity string) Both {
	amount := resource.MustParse(quantity)
	return Both{
		func(node *corev1.Node) {
			node.Status.Capacity[name] = amount
			node.Status.Allocatable[name] = amount
		},
		func(pod *corev1.Pod) {
			resources := &pod.Spec.Containers[0].Resources
			set(&resources.Requests, name, amount)
			if !overcommits(name) {
				set(&resources.Limits, name, amount)
			}
		},
	}
}

// overcommits says whether limits may exceed requests; for other resources the API wants both, and equal.
func overcommits(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage
}

// Label is a label.
func Label(key, value string) Both {
	return Both{
		func(node *corev1.Node) { set(&node.Labels, key, value) },
		func(pod *corev1.Pod) { set(&pod.Labels, key, value) },
	}
}

// Annotation is an annotation.
func Annotation(key, value string) Both {
	return Both{
		func(node *corev1.Node) { set(&node.Annotations, key, value) },
		func(pod *corev1.Pod) { set(&pod.Annotations, key, value) },
	}
}

// set writes to a map that may be nil.
func set[M ~map[K]V, K comparable, V any](m *M, key K, value V) {
	if *m == nil {
		*m = M{}
	}
	(*m)[key] = value
}
