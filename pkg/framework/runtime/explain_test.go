package runtime_test

import (
	"errors"
	"fmt"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
)

func TestReasonsAreCountedAndSortedAsStrings(t *testing.T) {
	f := func(refuses map[string]refusal, want string) {
		t.Helper()
		s := newStage(t, "a b c", &filter{named: "F", refuses: refuses})
		s.expectNone(s.pod("p"), "0/3 nodes are available: "+want)
	}
	f(map[string]refusal{"a": because("A"), "b": because("B"), "c": because("A")}, "1 B, 2 A.")
	f(allOf(because("A")), "3 A.")
	f(allOf(because("A", "B")), "3 A, 3 B.")                                               // a node with two reasons counts in both
	f(map[string]refusal{"a": because("A"), "b": forEver("A"), "c": because("A")}, "3 A.") // whatever their code
	f(map[string]refusal{"a": because("b"), "b": because("a"), "c": because("a")}, "1 b, 2 a.")

	names, refuses := "", map[string]refusal{}
	for i := range 12 {
		name := fmt.Sprintf("n%d", i)
		names += " " + name
		if refuses[name] = because("x"); i < 2 {
			refuses[name] = because("y")
		}
	}
	s := newStage(t, names, &filter{named: "F", refuses: refuses})
	s.expectNone(s.pod("p"), "0/12 nodes are available: 10 x, 2 y.")
}

func TestEachNodeIsExplainedByTheFirstThatRefusesIt(t *testing.T) {
	// The hot path asks NodeResourcesFit last and NodeUnschedulable early, whatever
	// the configured order is.
	fit := &filter{named: "NodeResourcesFit", refuses: map[string]refusal{"a": because("small"), "b": because("small", "slow")}}
	other := &filter{named: "Other", refuses: allOf(forEver("other"))}
	cordon := &filter{named: "NodeUnschedulable", refuses: map[string]refusal{"a": because("cordoned"), "c": because("cordoned")}}
	s := newStage(t, "a b c", fit, other, cordon)
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: 1 other, 1 slow, 2 small.")
	expectNames(t, "rejectors", failure.Plugins, "NodeResourcesFit Other")

	row := func(node, want string) {
		t.Helper()
		at, _ := s.cluster.Row(node)
		code, reasons := s.Verdicts().Row(at)
		if got := fmt.Sprintf("%v %v", code, reasons); got != want {
			t.Errorf("%s: %s, want %s", node, got, want)
		}
	}
	row("a", "Unschedulable [small]")
	row("b", "Unschedulable [small slow]")
	row("c", "UnschedulableAndUnresolvable [other]")
	may := s.Verdicts().Resolvable()
	if got := may.String(); got != "{0 1}" {
		t.Errorf("rows that preemption may try: %s, want {0 1}", got)
	}
}

func TestExplainLooksNoFurtherThanTheLastNode(t *testing.T) {
	first := &filter{named: "A", refuses: allOf(because("no"))}
	second := &filter{named: "B"}
	s := newStage(t, "a b", first, second)
	s.expectNone(s.pod("p"), "0/2 nodes are available: 2 no.")
	if first.calls != 2 || second.calls != 0 {
		t.Errorf("asked %d and %d times, want twice and never", first.calls, second.calls)
	}
}

func TestPostFiltersAddWhatTheySay(t *testing.T) {
	refuse := &filter{named: "F", refuses: allOf(because("M"))}
	one, two := &postFilter{named: "P"}, &postFilter{named: "Q"}
	s := newStage(t, "a b c", refuse, one, two)
	node := "a"
	f := func(first, second framework.PostFilterResult, want string) {
		t.Helper()
		one.result, two.result = first, second
		s.expectNone(s.pod("p"), "0/3 nodes are available: 3 M."+want)
	}
	f(framework.PostFilterResult{}, framework.PostFilterResult{}, "")
	f(framework.PostFilterResult{Message: "P"}, framework.PostFilterResult{}, " P")
	f(framework.PostFilterResult{}, framework.PostFilterResult{Message: "Q"}, " Q")
	f(framework.PostFilterResult{Message: "P"}, framework.PostFilterResult{Message: "Q"}, " P, Q")
	f(framework.PostFilterResult{Message: "P", Done: true}, framework.PostFilterResult{Message: "Q"}, " P")

	one.result, two.result = framework.PostFilterResult{Nominate: &node, Done: true}, framework.PostFilterResult{}
	failure := s.expectNone(s.pod("p"), "0/3 nodes are available: 3 M.")
	if failure.Nominate == nil || *failure.Nominate != "a" {
		t.Errorf("nominates %v, want a", failure.Nominate)
	}
	if one.seen != s.Verdicts() {
		t.Error("the plugin sees other verdicts")
	}

	one.result = framework.PostFilterResult{Err: errors.New("boom")}
	s.expectFit(s.pod("p"), "")
	if _, err := s.Explain(); err == nil || err.Error() != `running PostFilter plugin "P": boom` {
		t.Errorf("got error %v", err)
	}
}

func TestPostFilterAlsoRunsForRejectedPods(t *testing.T) {
	post := &postFilter{named: "P", result: framework.PostFilterResult{Message: "P"}}
	s := newStage(t, "a b c", &preFilter{named: "A", prepare: reject(fwk.Unschedulable, "M")}, post)
	s.expectNone(s.pod("p"), "0/3 nodes are available: M. P")
}

func TestErrorOfAFilterNamesIt(t *testing.T) {
	s := newStage(t, "a", &filter{named: "F", err: errors.New("boom")})
	s.expectError(s.pod("p"), `running "F" filter plugin: boom`)

	second := &filter{named: "G", refuses: allOf(because("no"))}
	s = newStage(t, "a", second)
	s.expectFit(s.pod("p"), "")
	second.err = errors.New("boom")
	if _, err := s.Explain(); err == nil || err.Error() != `running "G" filter plugin: boom` {
		t.Errorf("got error %v", err)
	}
}

func TestAnswersOfOthersAreExplainedLast(t *testing.T) {
	s := newStage(t, "a b c", &filter{named: "F", refuses: map[string]refusal{"a": because("full")}})
	s.expectFit(s.pod("p"), "b c")
	answer := func(by, reason string, keep, failed int32) *framework.Answer {
		a := &framework.Answer{By: by, Failed: []framework.Verdict{{Code: fwk.Unschedulable, Reason: reason}}}
		a.Keep.Resize(s.cluster.Rows())
		a.Failed[0].Rows.Resize(s.cluster.Rows())
		a.Keep.Add(keep)
		a.Failed[0].Rows.Add(failed)
		return a
	}
	if left := s.Keep(answer("X", "dislike", 2, 1)); left != 1 {
		t.Errorf("%d rows are left, want one", left)
	}
	if left := s.Keep(answer("Y", "late", 1, 1)); left != 0 { // says nothing about c
		t.Errorf("%d rows are left, want none", left)
	}
	failure, err := s.Explain()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := failure.Text(), "0/3 nodes are available: 1 dislike, 1 full."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	expectNames(t, "rejectors", failure.Plugins, "F X Y")

	s.expectFit(s.pod("q"), "b c") // the next attempt knows nothing of them
	s.Keep(answer("Z", "never", 0, 2))
	if failure, err = s.Explain(); err != nil {
		t.Fatal(err)
	}
	if got, want := failure.Text(), "0/3 nodes are available: 1 full, 1 never."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	expectNames(t, "rejectors", failure.Plugins, "F Z")
}

// torn refuses every node for now, and the first one for ever as well.
type torn struct{ named }

func (torn) Narrow(_ *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	var first bitset.Set
	first.Resize(fit.Len())
	first.Add(0)
	if why != nil {
		why.Note(fit, fit, fwk.Unschedulable, "full")
		why.Note(fit, &first, fwk.UnschedulableAndUnresolvable, "small")
	}
	fit.Clear()
	return nil
}

func TestOneUnresolvableReasonIsEnough(t *testing.T) {
	s := newStage(t, "a b", torn{"F"})
	s.expectNone(s.pod("p"), "0/2 nodes are available: 1 small, 2 full.")
	code, reasons := s.Verdicts().Row(0)
	if text := fmt.Sprint(code, reasons); text != "UnschedulableAndUnresolvable [full small]" {
		t.Errorf("the first node is refused with %s", text)
	}
	may := s.Verdicts().Resolvable()
	if got := may.String(); got != "{1}" {
		t.Errorf("rows that preemption may try: %s, want the second", got)
	}
}
