package oracle

import (
	"slices"
	"strings"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"
)

func TestGapsNameWhatWasNotAsked(t *testing.T) {
	o := &Oracle{
		Compared: []string{"NodeUnschedulable", "Unheard"},
		Scorers:  []string{"TaintToleration"},
		Wakers:   []Waker{{"NodePorts", fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}}},
	}
	c := NewCoverage()
	c.questions = 20000
	gaps := strings.Join(c.Gaps(o), "\n")
	for _, want := range []string{
		`NodeUnschedulable says "node(s) were unschedulable": 0 times, want 50`,
		`Unheard is built and has no line in the table of reasons`,
		`TaintToleration scores a node: 0 times, want 50`,
		`NodePorts NodeAdd is heard: 0 times, want 10`,
		`somebody says Unschedulable: 0 times, want 50`,
		`in 0 % of the questions some nodes take the pod and others do not, want 60`,
	} {
		if !strings.Contains(gaps, want) {
			t.Errorf("no gap %q among\n%s", want, gaps)
		}
	}
	c.refused(refusal("NodeUnschedulable", fwk.Unschedulable, []string{"something new"}))
	if gaps := c.Gaps(o); !slices.ContainsFunc(gaps, func(s string) bool { return strings.Contains(s, "something new") }) {
		t.Errorf("a reason that nobody knows is no gap: %v", gaps)
	}
}

func TestComparedAndMissingAreTheDefaultProfile(t *testing.T) {
	o := mustOracle(t)
	for _, name := range []string{"PrioritySort", "DefaultBinder", "TaintToleration", "NodeResourcesFit"} {
		if !slices.Contains(o.Compared, name) {
			t.Errorf("%s is not compared", name)
		}
	}
	for _, name := range o.Missing {
		if slices.Contains(o.Compared, name) {
			t.Errorf("%s is compared and missing", name)
		}
	}
}
