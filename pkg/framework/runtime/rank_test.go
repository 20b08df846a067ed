package runtime_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// normalised tells what a chain makes of raw scores.
func normalised(t *testing.T, norm framework.Norm, raw ...int64) []int64 {
	t.Helper()
	s, sites := &scorer{named: "S", scores: map[string]int64{}, norm: norm}, []sim.Site{}
	for i, score := range raw {
		name := fmt.Sprintf("n%d", i)
		s.scores[name] = score
		sites = append(sites, sim.Site{Node: object.Node(name)})
	}
	_, got, err := sim.Scores(s, object.Pod("p"), sites...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestScoresAreNormalisedByTheirKind(t *testing.T) {
	f := func(norm framework.Norm, raw []int64, want ...int64) {
		t.Helper()
		if got := normalised(t, norm, raw...); !slices.Equal(got, want) {
			t.Errorf("kind %d makes %v of %v, want %v", norm, got, raw, want)
		}
	}
	n := func(raw ...int64) []int64 { return raw }
	f(framework.NormNone, n(0, 37, 100), 0, 37, 100)

	f(framework.NormMax, n(1, 2, 3, 4), 25, 50, 75, 100)
	f(framework.NormMax, n(1000, 10, 20, 30), 100, 1, 2, 3)
	f(framework.NormMax, n(1, 1, 1, 1), 100, 100, 100, 100)
	f(framework.NormMax, n(1000, 1, 1, 1), 100, 0, 0, 0)
	f(framework.NormMax, n(0, 0), 0, 0)

	f(framework.NormMaxReversed, n(1, 2, 3, 4), 75, 50, 25, 0)
	f(framework.NormMaxReversed, n(1000, 10, 20, 30), 0, 99, 98, 97)
	f(framework.NormMaxReversed, n(0, 1, 1, 1), 100, 0, 0, 0)
	f(framework.NormMaxReversed, n(0, 0), 100, 100)

	f(framework.NormMinMax, n(1, 2, 3, 5), 0, 25, 50, 100)
	f(framework.NormMinMax, n(-10, 0, 10), 0, 50, 100)
	f(framework.NormMinMax, n(7, 7), 0, 0)
	f(framework.NormMinMax, n(0, 1, 3), 0, 33, 100)
}

func TestWeightedScoresAddUp(t *testing.T) {
	one := &scorer{named: "S", scores: map[string]int64{"a": 10, "b": 50}}
	two := &scorer{named: "T", scores: map[string]int64{"a": 30, "b": 20}}
	f := func(w1, w2 int64, node string, score int64) {
		t.Helper()
		s := newWeightedStage(t, "a b", runtime.Enabled{Plugin: one, Weight: w1}, runtime.Enabled{Plugin: two, Weight: w2})
		s.expectFit(s.pod("p"), "a b")
		choice, err := s.Rank(0)
		if err != nil || s.cluster.Name(choice.Row) != node || choice.Score != score || choice.Ties != 1 {
			t.Errorf("weights %d and %d choose %+v (%v), want %s with %d", w1, w2, choice, err, node, score)
		}
	}
	f(1, 1, "b", 70)
	f(0, 0, "b", 70) // no weight is 1
	f(1, 5, "a", 160)
	f(2, 5, "b", 200)
}

func TestSkippedScorerContributesNothing(t *testing.T) {
	big := &scorer{named: "S", scores: map[string]int64{"a": 100}}
	small := &scorer{named: "T", scores: map[string]int64{"b": 1}}
	s := newStage(t, "a b", preScorer{big, framework.Prep{Skip: true}}, small)
	s.expectFit(s.pod("p"), "a b")
	if choice, err := s.Rank(0); err != nil || choice != (runtime.Choice{Row: 1, Score: 1, Ties: 1}) || big.calls != 0 {
		t.Errorf("chose %+v (%v), and the skipped one scored %d times", choice, err, big.calls)
	}
}

func TestSingleNodeIsNotScored(t *testing.T) {
	scores := &scorer{named: "S", scores: map[string]int64{"a": 500}} // it would be an error
	s := newStage(t, "a", scores)
	s.expectFit(s.pod("p"), "a")
	if choice, err := s.Rank(1 << 63); err != nil || choice != (runtime.Choice{Ties: 1}) || scores.calls != 0 {
		t.Errorf("chose %+v (%v) after %d scores, want row 0 after none", choice, err, scores.calls)
	}
}

func TestErrorsOfScorersNameThem(t *testing.T) {
	f := func(p framework.Plugin, want string) {
		t.Helper()
		s := newStage(t, "a b", p)
		s.expectFit(s.pod("p"), "a b")
		if choice, err := s.Rank(0); err == nil || err.Error() != want || choice != (runtime.Choice{}) {
			t.Errorf("got %v, %+v, want %s", err, choice, want)
		}
	}
	giving := func(score int64) *scorer { return &scorer{named: "S", scores: map[string]int64{"b": score}} }
	f(giving(101), `plugin "S" returns an invalid score 101, it should in the range of [0, 100] after normalizing`)
	f(giving(-1), `plugin "S" returns an invalid score -1, it should in the range of [0, 100] after normalizing`)
	f(&scorer{named: "S", err: errors.New("boom")}, `running Score plugins: plugin "S" failed with: boom`)
	f(preScorer{giving(0), framework.Prep{Err: errors.New("boom")}}, `running PreScore plugin "S": boom`)
	own := &scorer{named: "S", norm: framework.NormCustom}
	f(normalizer{own, func([]int64) error { return errors.New("boom") }}, `running Normalize on Score plugins: plugin "S" failed with: boom`)
}

func TestScorerMayNormaliseByItself(t *testing.T) {
	own := &scorer{named: "S", norm: framework.NormCustom, scores: map[string]int64{"a": 1, "b": 5}}
	s := newStage(t, "a b", normalizer{own, func(out []int64) error {
		for i := range out {
			out[i] = 10 - out[i]
		}
		return nil
	}})
	s.expectFit(s.pod("p"), "a b")
	if choice, err := s.Rank(0); err != nil || choice != (runtime.Choice{Row: 0, Score: 9, Ties: 1}) {
		t.Errorf("chose %+v (%v), want a with 9", choice, err)
	}
}

func TestTiesAreDrawnUniformly(t *testing.T) {
	scores := &scorer{named: "S", scores: map[string]int64{"a": 3, "b": 3, "c": 9, "d": 9, "e": 9, "f": 9, "g": 8, "h": 9}}
	s := newStage(t, "a b c d e f g h", scores)
	const draws, ties = 10000, 5
	r, counts := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for range draws {
		s.expectFit(s.pod("p"), "a b c d e f g h")
		choice, err := s.Rank(r.Uint64())
		if err != nil || choice.Ties != ties || choice.Score != 9 {
			t.Fatalf("chose %+v (%v), want 9 with %d ties", choice, err, ties)
		}
		counts[s.cluster.Name(choice.Row)]++
	}
	chi := 0.0
	for _, name := range []string{"c", "d", "e", "f", "h"} {
		off := float64(counts[name]) - draws/ties
		chi += off * off / (draws / ties)
	}
	if chi > 18.47 || len(counts) != ties { // 4 degrees of freedom, 1 in 1000
		t.Errorf("counts %v, chi-square %.1f, want below 18.47", counts, chi)
	}
}

func TestDrawDecidesByItsHighBits(t *testing.T) {
	s := newStage(t, "a b c d")
	f := func(draw uint64, want int32) {
		t.Helper()
		s.expectFit(s.pod("p"), "a b c d")
		if choice, err := s.Rank(draw); err != nil || choice.Row != want || choice.Ties != 4 || choice.Score != 0 {
			t.Errorf("draw %x chooses %+v (%v), want row %d of 4", draw, choice, err, want)
		}
	}
	f(0, 0)
	f(1<<62-1, 0)
	f(1<<62, 1)
	f(1<<63, 2)
	f(1<<64-1, 3)
}
