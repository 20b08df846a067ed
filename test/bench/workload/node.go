package workload

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// NodeType is what nodes of one kind have in common.
type NodeType struct {
	Base   string            `json:"base"`
	CPU    string            `json:"cpu"`
	Mem    string            `json:"mem"`
	Pods   int               `json:"pods"`
	Labels map[string]string `json:"labels"`
}

func (t NodeType) base() string { return t.Base }

func (t NodeType) over(base NodeType) NodeType {
	return NodeType{
		CPU: or(t.CPU, base.CPU), Mem: or(t.Mem, base.Mem), Pods: or(t.Pods, base.Pods),
		Labels: merged(t.Labels, base.Labels),
	}
}

// nodeName is the name of the i-th node of every workload.
func nodeName(i int) string { return fmt.Sprintf("node-%05d", i) }

// node makes the i-th node.
func (t NodeType) node(i int) (*corev1.Node, error) {
	name := nodeName(i)
	for _, quantity := range []string{t.CPU, t.Mem} {
		if _, err := resource.ParseQuantity(quantity); err != nil {
			return nil, fmt.Errorf("node resource %q: %w", quantity, err)
		}
	}
	node := object.Node(name, object.CPU(t.CPU), object.Memory(t.Mem), object.Pods(strconv.Itoa(t.Pods)))
	for key, value := range t.Labels {
		text, err := expand(value, name, i)
		if err != nil {
			return nil, err
		}
		node.Labels[key] = text
	}
	return node, nil
}
