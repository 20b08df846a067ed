package runtime_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func priority(n int32) object.PodOption {
	return object.PodFunc(func(p *corev1.Pod) { p.Spec.Priority = &n })
}

func nominatedTo(node string) object.PodOption {
	return object.PodFunc(func(p *corev1.Pod) { p.Status.NominatedNodeName = node })
}

// crowded refuses nodes with at least one pod, lonely those with none.
func crowded(c *framework.Cycle, row int32) bool { return c.View.PodCount()[row] > 0 }
func lonely(c *framework.Cycle, row int32) bool  { return c.View.PodCount()[row] == 0 }

func TestNominatedPodsOfEqualOrHigherPriorityCount(t *testing.T) {
	s := newStage(t, "a b", &filter{named: "F", refuses: allOf(because("crowded")), when: crowded})
	f := func(node, uid string, prio int32, want string) {
		t.Helper()
		clear(s.nominated)
		s.nominated[node] = append(s.nominated[node], s.pod(uid, priority(prio)))
		s.expectFit(s.pod("p", priority(5)), want)
	}
	f("b", "q", 5, "a")
	f("b", "q", 6, "a")
	f("b", "q", 4, "a b")
	f("b", "p", 9, "a b") // the pod itself
	f("z", "q", 9, "a b") // a node that is not there
	s.nominated["a"] = append(s.nominated["a"], s.pod("r", priority(5)))
	s.nominated["b"] = append(s.nominated["b"], s.pod("q", priority(4)), s.pod("t", priority(7)))
	failure := s.expectNone(s.pod("p", priority(5)), "0/2 nodes are available: 2 crowded.")
	expectNames(t, "rejectors", failure.Plugins, "F")
}

func TestNodeMustTakeThePodWithoutTheNominatedToo(t *testing.T) {
	s := newStage(t, "a b", &filter{named: "F", refuses: allOf(because("lonely")), when: lonely})
	s.nominated["b"] = append(s.nominated["b"], s.pod("q", priority(5)))
	s.expectNone(s.pod("p", priority(5)), "0/2 nodes are available: 2 lonely.")
	s.cluster.Assume(s.pod("r"), 0)
	s.expectFit(s.pod("p", priority(5)), "a")
}

func TestNodeWithNominatedPodsIsExplainedWithThem(t *testing.T) {
	first := &filter{named: "A", refuses: allOf(because("first")), when: crowded}
	second := &filter{named: "B", refuses: allOf(because("second"))}
	s := newStage(t, "a b c", first, second)
	s.nominated["b"] = append(s.nominated["b"], s.pod("q"))
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: 1 first, 2 second.")
	expectNames(t, "rejectors", failure.Plugins, "A B")

	first.refuses, second.when = map[string]refusal{"a": because("first")}, crowded
	s.cluster.Assume(s.pod("r"), 0)
	s.cluster.Assume(s.pod("t"), 2)
	failure = s.expectNone(s.pod("p"), "0/3 nodes are available: 1 first, 2 second.")
	expectNames(t, "rejectors", failure.Plugins, "A B") // though B spoke first, about b
}

func TestNominatedNodeIsTriedFirst(t *testing.T) {
	gate := &filter{named: "F"}
	s := newStage(t, "a b c", gate)
	p := s.pod("p", nominatedTo("b"))
	s.expectFit(p, "b")
	s.expectFit(s.pod("q"), "a b c")

	gate.refuses = map[string]refusal{"b": because("full")}
	s.expectFit(p, "a c")
	s.expectFit(s.pod("p", nominatedTo("z")), "a c")

	gate.refuses, gate.when = allOf(because("crowded")), crowded
	s.nominated["b"] = append(s.nominated["b"], p)
	s.expectFit(p, "b") // its own nomination is no obstacle
	s.nominated["b"] = append(s.nominated["b"], s.pod("q"))
	s.expectFit(p, "a c")
}

// The node that a pod is nominated to is looked at whatever PreFilter leaves, so it is
// refused by what was found there.
func TestNominatedNodeThatIsLeftOutIsExplainedByItsFilters(t *testing.T) {
	naming := &preFilter{named: "P", prepare: only("c")}
	gate := &filter{named: "F", refuses: map[string]refusal{"b": because("full"), "c": because("shut")}}
	s := newStage(t, "a b c", naming, gate)
	failure := s.expectNone(s.pod("p", nominatedTo("b")), "0/3 nodes are available: 1 full, 1 node(s) didn't satisfy plugin(s) [F P], 1 shut.")
	expectNames(t, "rejectors", failure.Plugins, "P F")
	s.expectNone(s.pod("p", nominatedTo("z")), "0/3 nodes are available: 1 shut, 2 node(s) didn't satisfy plugin(s) [P].")
	s.expectNone(s.pod("p", nominatedTo("c")), "0/3 nodes are available: 1 shut, 2 node(s) didn't satisfy plugin(s) [F P].")

	delete(gate.refuses, "b")
	s.expectFit(s.pod("p", nominatedTo("b")), "b") // though PreFilter leaves it out
	gate.refuses, gate.when = allOf(because("crowded")), crowded
	s.nominated["b"] = append(s.nominated["b"], s.pod("q"))
	s.cluster.Assume(s.pod("r"), 2)
	s.expectNone(s.pod("p", nominatedTo("b")), "0/3 nodes are available: 1 node(s) didn't satisfy plugin(s) [F P], 2 crowded.")
}

func TestErrorOnTheNominatedNodeIsTheSearchsToTell(t *testing.T) {
	gate := &filter{named: "F", err: fmt.Errorf("boom")}
	s := newStage(t, "a b", gate)
	s.expectError(s.pod("p", nominatedTo("b")), `running "F" filter plugin: boom`)
	if gate.calls != 2 {
		t.Errorf("asked %d times, want twice", gate.calls)
	}
}

func TestFitsAsksBothTimesAndSeesTheTry(t *testing.T) {
	var got []bool
	ask := func(c *framework.Cycle) {
		for _, change := range []func(){func() {}, func() { c.Try.Remove("r") }, func() { c.Try.Remove("t") }} {
			change()
			ok, err := c.Fits(0)
			if err != nil {
				t.Error(err)
			}
			got = append(got, ok)
		}
		c.Try.Rollback(0)
	}
	full := func(c *framework.Cycle, row int32) bool { return c.View.PodCount()[row] > 1 }
	s := newStage(t, "a", &filter{named: "F", refuses: allOf(because("crowded")), when: full}, &postFilter{named: "P", ask: ask})
	s.nominated["a"] = append(s.nominated["a"], s.pod("q"))
	s.cluster.Assume(s.pod("r"), 0)
	s.cluster.Assume(s.pod("t"), 0)
	s.expectNone(s.pod("p"), "0/1 nodes are available: 1 crowded.")
	if text := fmt.Sprint(got); text != "[false false true]" {
		t.Errorf("fits with two pods, one, none: %s, want the nominated one to count", text)
	}
}
