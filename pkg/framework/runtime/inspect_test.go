package runtime_test

import (
	"fmt"
	"strings"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// expectScores compares what each scorer gives the feasible rows, as in
// "a b: S 10*3 50*3".
func (s *stage) expectScores(want string) {
	s.t.Helper()
	rows, scores, err := s.Scores()
	if err != nil {
		s.t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(s.cluster.Name(row) + " ")
	}
	for _, p := range scores {
		b.WriteString(p.Plugin)
		for _, score := range p.Scores {
			fmt.Fprintf(&b, " %d*%d", score, p.Weight)
		}
		b.WriteString(" ")
	}
	if got := strings.TrimSpace(b.String()); got != want {
		s.t.Errorf("got %q, want %q", got, want)
	}
}

func TestScoresAreThoseThatRankAddsUp(t *testing.T) {
	s := newWeightedStage(t, "a b c",
		runtime.Enabled{Plugin: &filter{named: "F", refuses: map[string]refusal{"c": because("no")}}},
		runtime.Enabled{Plugin: &scorer{named: "S", scores: map[string]int64{"a": 10, "b": 50}}, Weight: 3},
		runtime.Enabled{Plugin: preScorer{&scorer{named: "T", scores: map[string]int64{"a": 7}}, framework.Prep{Skip: true}}},
		runtime.Enabled{Plugin: &scorer{named: "U", scores: map[string]int64{"a": 2, "b": 1}, norm: framework.NormMax}})
	s.expectFit(s.pod("p"), "a b")
	s.expectScores("a b S 10*3 50*3 U 100*1 50*1")
	choice, err := s.Rank(0)
	if err != nil || choice.Score != 200 || s.cluster.Name(choice.Row) != "b" {
		t.Errorf("chose %s with %d (%v), want b with 200", s.cluster.Name(choice.Row), choice.Score, err)
	}
}

func TestASingleRowHasScores(t *testing.T) {
	s := newStage(t, "a", &scorer{named: "S", scores: map[string]int64{"a": 10}})
	s.expectFit(s.pod("p"), "a")
	s.expectScores("a S 10*1")
}

func TestScoresFailAsRankDoes(t *testing.T) {
	s := newStage(t, "a b", &scorer{named: "S", scores: map[string]int64{"a": 101}})
	s.expectFit(s.pod("p"), "a b")
	_, _, err := s.Scores()
	_, want := s.Rank(0)
	if err == nil || want == nil || err.Error() != want.Error() {
		t.Errorf("got error %v, want %v", err, want)
	}
}

func TestWhoRefusedEveryNode(t *testing.T) {
	reject := false
	s := newStage(t, "a b", &preFilter{named: "P", prepare: func(*framework.Cycle) framework.Prep {
		if reject {
			return framework.Prep{Reject: framework.Reject(fwk.UnschedulableAndUnresolvable, "no")}
		}
		return framework.Prep{}
	}})
	s.expectFit(s.pod("p"), "a b")
	if plugins, r := s.Refused(); r != nil {
		t.Errorf("%v refuse with %v a pod that fits", plugins, r.Reasons)
	}
	reject = true
	s.expectFit(s.pod("p"), "")
	plugins, r := s.Refused()
	if r == nil || r.Code != fwk.UnschedulableAndUnresolvable || fmt.Sprint(plugins, r.Reasons) != "[P] [no]" {
		t.Errorf("%v refuse with %v, want P with no", plugins, r)
	}
}

func TestWhoLeftNoNodeOver(t *testing.T) {
	s := newStage(t, "a b", &preFilter{named: "P", prepare: only("a")}, &preFilter{named: "Q", prepare: only("b")})
	s.expectFit(s.pod("p"), "")
	if plugins, r := s.Refused(); r == nil || fmt.Sprint(plugins) != "[P Q]" {
		t.Errorf("%v refuse with %v, want P and Q", plugins, r)
	}
}
