package workload

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"
)

//go:embed workloads.yaml
var builtIn []byte

// Set is a file of workloads.
type Set struct {
	NodeTypes map[string]NodeType `json:"nodeTypes"`
	PodTypes  map[string]PodType  `json:"podTypes"`
	Workloads map[string][]Op     `json:"workloads"`
}

// Op is one operation of a workload: exactly one of Nodes, Pods and Service is set.
type Op struct {
	Nodes   string   `json:"nodes"` // a node type; the first operation, and only that
	Pods    string   `json:"pods"`  // a pod type
	Count   int      `json:"count"` // at full size
	NS      string   `json:"ns"`    // of pods, may have a formula; empty is default
	Bound   Place    `json:"bound"` // where pods are from the start; empty for measured ones
	Measure bool     `json:"measure"`
	Service *Service `json:"service"`

	NSLabels map[string]string `json:"nsLabels"` // of the namespaces
}

// Service is a Service whose selector makes pods a group that is spread by default.
type Service struct {
	NS  string            `json:"ns"`
	Sel map[string]string `json:"sel"`
}

// Place says on which node a pod is from the start.
type Place string

// Places of bound pods.
const (
	SpreadEvenly Place = "spreadEvenly" // the same distance between neighbours
	OnePerNode   Place = "onePerNode"   // the first nodes, one each
)

// BuiltIn returns the workloads of workloads.yaml.
func BuiltIn() (*Set, error) { return Parse(builtIn) }

// BuiltInBytes returns workloads.yaml as it is.
func BuiltInBytes() []byte { return builtIn }

// Parse reads a set and checks all of it.
func Parse(data []byte) (*Set, error) {
	s := &Set{}
	if err := yaml.UnmarshalStrict(data, s); err != nil {
		return nil, fmt.Errorf("cannot parse workloads: %w", err)
	}
	if err := s.resolve(); err != nil {
		return nil, err
	}
	for _, name := range s.Names() {
		if err := s.check(s.Workloads[name]); err != nil {
			return nil, fmt.Errorf("workload %s: %w", name, err)
		}
	}
	return s, nil
}

// Names returns the names of all workloads in order.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.Workloads)) }

// resolve replaces each type that has a base by the sum of both.
func (s *Set) resolve() error {
	nodes, err := resolved("node type", s.NodeTypes)
	if err != nil {
		return err
	}
	pods, err := resolved("pod type", s.PodTypes)
	if err != nil {
		return err
	}
	s.NodeTypes, s.PodTypes = nodes, pods
	return nil
}

// check finds what would make Build fail, or a workload mean nothing.
func (s *Set) check(ops []Op) error {
	measured := 0
	for i, op := range ops {
		if err := s.checkOp(op, i == 0); err != nil {
			return fmt.Errorf("operation %d: %w", i+1, err)
		}
		if op.Measure {
			measured++
		}
	}
	if measured != 1 || !ops[len(ops)-1].Measure {
		return fmt.Errorf("the last operation, and only that, has to be measured")
	}
	return nil
}

func (s *Set) checkOp(op Op, first bool) error {
	_, nodes := s.NodeTypes[op.Nodes]
	_, pods := s.PodTypes[op.Pods]
	switch {
	case first != (op.Nodes != ""):
		return fmt.Errorf("nodes come first, and once")
	case op.Nodes != "" && (!nodes || op.Count <= 0 || op.Pods != "" || op.Service != nil):
		return fmt.Errorf("want a count of nodes of a known type, got %d of %q", op.Count, op.Nodes)
	case first || op.Service != nil && op.Pods == "":
		return nil
	case !pods || op.Count <= 0 || op.Service != nil:
		return fmt.Errorf("want a count of pods of a known type, got %d of %q", op.Count, op.Pods)
	case op.Measure != (op.Bound == ""):
		return fmt.Errorf("pods are either bound or measured")
	case op.Bound != "" && op.Bound != SpreadEvenly && op.Bound != OnePerNode:
		return fmt.Errorf("there is no place %q", op.Bound)
	}
	return s.PodTypes[op.Pods].check()
}
