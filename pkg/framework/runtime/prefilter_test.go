package runtime_test

import (
	"errors"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// only leaves the named nodes.
func only(names ...string) func(*framework.Cycle) framework.Prep {
	return prep(framework.Prep{Names: names})
}

func prep(p framework.Prep) func(*framework.Cycle) framework.Prep {
	return func(*framework.Cycle) framework.Prep { return p }
}

func reject(code fwk.Code, reasons ...string) func(*framework.Cycle) framework.Prep {
	return prep(framework.Prep{Reject: framework.Reject(code, reasons...)})
}

func TestSkipDropsTheFilterOnly(t *testing.T) {
	skipping := withPrep(&filter{named: "A", refuses: allOf(because("no"))}, prep(framework.Prep{Skip: true}))
	s := newStage(t, "a b", scoringFilter{skipping, &scorer{scores: map[string]int64{"b": 7}}})
	s.expectFit(s.pod("p"), "a b")
	if skipping.calls != 0 {
		t.Errorf("the filter was asked %d times, want never", skipping.calls)
	}
	if choice, err := s.Rank(0); err != nil || s.cluster.Name(choice.Row) != "b" {
		t.Errorf("chose %+v (%v), want b by its score", choice, err)
	}

	skipping.pre.prepare = prep(framework.Prep{}) // it does not stay skipped
	s.expectNone(s.pod("q"), "0/2 nodes are available: 2 no.")
}

func TestUnresolvableRejectionEndsTheAttempt(t *testing.T) {
	first := &preFilter{named: "A", prepare: reject(fwk.UnschedulableAndUnresolvable, "no", "never")}
	second := &preFilter{named: "B", prepare: prep(framework.Prep{})}
	never := &filter{named: "F", refuses: allOf(because("full"))}
	s := newStage(t, "a b c", first, second, never)
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: no, never.")
	expectNames(t, "rejectors", failure.Plugins, "A")
	if second.calls != 0 || never.calls != 0 {
		t.Errorf("later plugins ran %d and %d times, want never", second.calls, never.calls)
	}
}

func TestOtherRejectionsLetTheRestPrepare(t *testing.T) {
	soft := &preFilter{named: "A", prepare: reject(fwk.Unschedulable, "not now")}
	after := &preFilter{named: "B", prepare: prep(framework.Prep{})}
	s := newStage(t, "a", soft, after)
	failure := s.expectNone(s.pod("p"), "0/1 nodes are available: not now.")
	expectNames(t, "rejectors", failure.Plugins, "A")
	if after.calls != 1 {
		t.Errorf("the next plugin prepared %d times, want once", after.calls)
	}

	after.prepare = reject(fwk.Unschedulable, "nor I") // the last one is told
	failure = s.expectNone(s.pod("p"), "0/1 nodes are available: nor I.")
	expectNames(t, "rejectors", failure.Plugins, "B")
	after.prepare = reject(fwk.UnschedulableAndUnresolvable, "never")
	s.expectNone(s.pod("p"), "0/1 nodes are available: never.")
	after.prepare = prep(framework.Prep{})
	soft.prepare = reject(fwk.Pending, "somebody else's turn")
	failure = s.expectNone(s.pod("p"), "0/1 nodes are available: somebody else's turn.")
	expectNames(t, "pending", failure.Pending, "A")
	soft.prepare = prep(framework.Prep{})
	s.expectFit(s.pod("p"), "a") // it is not held against the next attempt
}

func TestNamesOfPreFiltersAreIntersected(t *testing.T) {
	b, a := &preFilter{named: "B", prepare: only("a", "b")}, &preFilter{named: "A", prepare: only("b", "c")}
	full := &filter{named: "F"}
	s := newStage(t, "a b c", b, a, full)
	s.expectFit(s.pod("p"), "b")

	full.refuses = allOf(because("full"))
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: 1 full, 2 node(s) didn't satisfy plugin(s) [A B].")
	expectNames(t, "rejectors", failure.Plugins, "B A F")
	may := s.Verdicts().Resolvable()
	if got := may.String(); got != "{1}" {
		t.Errorf("rows that preemption may try: %s, want that of b", got)
	}
	a.prepare = prep(framework.Prep{})
	s.expectNone(s.pod("p"), "0/3 nodes are available: 1 node(s) didn't satisfy plugin(s) [B], 2 full.")
}

func TestNoCommonNameIsARejection(t *testing.T) {
	b, a := &preFilter{named: "B", prepare: only("a")}, &preFilter{named: "A", prepare: only("c")}
	last := &preFilter{named: "Z", prepare: prep(framework.Prep{})}
	s := newStage(t, "a b c", b, a, last)
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously.")
	expectNames(t, "rejectors", failure.Plugins, "B A")
	if last.calls != 0 {
		t.Error("preparing goes on although no row is left")
	}
}

// Whether names contradict each other has nothing to do with which nodes are there. When
// they do not, each node is refused for not being named.
func TestNamesOfNodesThatAreNotThereAreNames(t *testing.T) {
	b, a := &preFilter{named: "B", prepare: only("gone", "lost")}, &preFilter{named: "A", prepare: only("c", "gone")}
	s := newStage(t, "a b c", b, a)
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [A B].")
	expectNames(t, "rejectors", failure.Plugins, "B A")
	b.prepare = only("lost")
	s.expectNone(s.pod("p"), "0/3 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously.")
	b.prepare = prep(framework.Prep{Names: []string{}})
	failure = s.expectNone(s.pod("p"), "0/3 nodes are available: node(s) didn't satisfy plugin B.")
	expectNames(t, "rejectors", failure.Plugins, "B")
}

func TestErrorOfAPreFilterNamesIt(t *testing.T) {
	a := &preFilter{named: "A", prepare: prep(framework.Prep{Err: errors.New("boom")})}
	s := newStage(t, "a", a)
	s.expectError(s.pod("p"), `running PreFilter plugin "A": boom`)
	a.prepare = prep(framework.Prep{})
	s.expectFit(s.pod("p"), "a")
}

// What an earlier attempt left over must not be taken for rows of a later one: an
// extender's answer may still be applied to them.
func TestRefusedAttemptLeavesNoRows(t *testing.T) {
	a := &preFilter{named: "A", prepare: prep(framework.Prep{})}
	s := newStage(t, "a b", a)
	s.expectFit(s.pod("p"), "a b")
	a.prepare = reject(fwk.UnschedulableAndUnresolvable, "no")
	s.expectFit(s.pod("p"), "")
	answer := &framework.Answer{By: "asker"}
	answer.Keep.CopyFrom(s.cluster.Live())
	if left := s.Keep(answer); left != 0 {
		t.Errorf("%d rows are left after a rejection and an answer, want none", left)
	}
}

// A window over nodes that were named is over those alone, wherever they stand.
func TestSampleIsOfTheNamedNodes(t *testing.T) {
	s := newStage(t, "a b c d e", withPrep(&filter{named: "A"}, only("b", "d")))
	s.SampleFrom(&runtime.Window{}, runtime.Adaptive) // nothing scores, so one is enough
	for _, want := range []string{"b", "b", "d", "d", "b"} {
		s.expectFit(s.pod("p"), want)
		if got := s.Evaluated(); got != 1 {
			t.Errorf("looked at %d nodes to find %s, want 1", got, want)
		}
	}
}
