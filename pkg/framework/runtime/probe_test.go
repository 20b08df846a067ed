package runtime_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// notes is a Probe whose time passes with each look, and that writes down what it is told.
type notes struct {
	now  time.Duration
	each bool
	list []string
}

func (n *notes) Begin() (time.Duration, bool) { return n.tick(), n.each }

func (n *notes) tick() time.Duration { n.now++; return n.now }

func (n *notes) Point(at config.Point, code fwk.Code, since time.Duration) time.Duration {
	return n.note(at, code, since)
}

func (n *notes) Plugin(name string, at config.Point, code fwk.Code, since time.Duration) time.Duration {
	return n.note(name, code, since)
}

func (n *notes) Span(config.Point, fwk.Code, time.Duration) {}

func (n *notes) note(what any, code fwk.Code, since time.Duration) time.Duration {
	if since <= 0 || since > n.now {
		panic(fmt.Sprintf("%v since %v, now is %v", what, since, n.now))
	}
	n.list = append(n.list, fmt.Sprintf("%v %v", what, code))
	return n.tick()
}

func (n *notes) expect(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(n.list, ", "); got != want {
		t.Errorf("told %s\nwant %s", got, want)
	}
	n.list = nil
}

func TestProbeIsToldWhatRan(t *testing.T) {
	pre, f, score := &preFilter{named: "P", prepare: prep(framework.Prep{})}, &filter{named: "F"}, &scorer{named: "S", norm: framework.NormMax}
	s := newStage(t, "a b", pre, f, score)
	n := &notes{}
	s.Measure(n)
	s.expectFit(s.pod("p"), "a b")
	n.expect(t, "PreFilter Success, Filter Success")
	if _, err := s.Rank(0); err != nil {
		t.Fatal(err)
	}
	n.expect(t, "PreScore Success, Score Success")
	n.each = true
	s.expectFit(s.pod("p"), "a b")
	n.expect(t, "P Success, PreFilter Success, F Success, Filter Success")
	if _, err := s.Rank(0); err != nil {
		t.Fatal(err)
	}
	n.expect(t, "PreScore Success, S Success, S Success, Score Success")
	pre.prepare = prep(framework.Prep{Reject: framework.Reject(fwk.Unschedulable, "no")})
	s.expectFit(s.pod("p"), "")
	n.expect(t, "P Unschedulable, PreFilter Unschedulable")
	pre.prepare = prep(framework.Prep{Err: errors.New("broken")})
	if _, err := s.Narrow(s.pod("p")); err == nil {
		t.Error("no error")
	}
	n.expect(t, "P Error, PreFilter Error")
	s.Gate(s.pod("p"), "")
	n.expect(t, "PreEnqueue Success")
	s.Reserve(s.pod("p"), 0, nil)
	s.Permit(s.pod("p"), 0)
	n.expect(t, "Reserve Success, Permit Success")
}

func TestEvaluationsAreCounted(t *testing.T) {
	pre := &preFilter{named: "P", prepare: prep(framework.Prep{})}
	s := newStage(t, "a b c", pre, &filter{named: "F"}, &scorer{named: "S"})
	s.Measure(&notes{})
	for range 2 {
		s.expectFit(s.pod("p"), "a b c")
		if _, err := s.Rank(0); err != nil {
			t.Fatal(err)
		}
	}
	pre.prepare = prep(framework.Prep{Skip: true})
	s.expectFit(s.pod("p"), "a b c")
	var got []string
	s.Evaluations(func(plugin string, at config.Point, times uint64) {
		got = append(got, fmt.Sprintf("%s %v %d", plugin, at, times))
	})
	want := []string{"P PreFilter 2", "F Filter 9", "S Score 6"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// quiet is a Probe that only tells the time.
type quiet struct{ start time.Time }

func (q *quiet) Begin() (time.Duration, bool) { return time.Since(q.start), false }
func (q *quiet) Point(config.Point, fwk.Code, time.Duration) time.Duration {
	return time.Since(q.start)
}
func (q *quiet) Plugin(string, config.Point, fwk.Code, time.Duration) time.Duration { return 0 }
func (q *quiet) Span(config.Point, fwk.Code, time.Duration)                         {}

var _ runtime.Probe = (*quiet)(nil)

func TestMeasuredDecisionAllocatesNothing(t *testing.T) {
	h := newHouse(t, 300)
	h.chain.Measure(&quiet{time.Now()})
	i := 0
	if got := testing.AllocsPerRun(100, func() {
		h.decide(t, h.pods[i%batch])
		i++
	}); got != 0 {
		t.Errorf("a decision allocates %v times, want 0", got)
	}
}
