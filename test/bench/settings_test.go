package main

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/bench/result"
	"github.com/berth-scheduler/berth/test/bench/workload"
)

func mustSettings(t *testing.T, args ...string) *settings {
	t.Helper()
	s, err := parseSettings(args)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestQuickSeriesIsWhatMakeBenchPromises(t *testing.T) {
	s := mustSettings(t)
	want := []result.Case{
		{Workload: "B1", Nodes: 1000, Pods: 1000}, {Workload: "B1", Nodes: 5000, Pods: 1000},
		{Workload: "NA", Nodes: 5000, Pods: 1000}, {Workload: "U1", Nodes: 5000, Pods: 1000},
		{Workload: "HP", Nodes: 5000, Pods: 1000}, {Workload: "TS", Nodes: 5000, Pods: 1000},
	}
	if diff := cmp.Diff(want, s.cases); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.runs != 2 || s.strict || !slices.Equal(s.schedulers, []string{"null", "upstream", "berth"}) {
		t.Errorf("got %d runs of %v, strict %v, want 2 of null, upstream and berth, not strict", s.runs, s.schedulers, s.strict)
	}
}

func TestFullSeriesHasAllThatIsBuilt(t *testing.T) {
	s := mustSettings(t, "-mode", "full")
	set, err := workload.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	if built := len(set.Names()) - len(s.notBuilt); len(s.cases) != 3*built || built < 4 {
		t.Errorf("got %d cases of %d workloads that are built, want 3 of each and at least 4", len(s.cases), built)
	}
	if want := (result.Case{Workload: "B1", Nodes: 15000, Pods: 30000}); !slices.Contains(s.cases, want) {
		t.Errorf("got %v, want %v among them", s.cases, want)
	}
	if !s.strict || s.runs != 8 {
		t.Errorf("got strict %v and %d runs, want strict and 8", s.strict, s.runs)
	}
}

func TestFlagsChangeAMode(t *testing.T) {
	s := mustSettings(t, "-cases", "B1:10,20 HP:30", "-pods", "5", "-runs", "3", "-schedulers", "null,berth")
	want := []result.Case{
		{Workload: "B1", Nodes: 10, Pods: 5}, {Workload: "B1", Nodes: 20, Pods: 5}, {Workload: "HP", Nodes: 30, Pods: 5},
	}
	if diff := cmp.Diff(want, s.cases); diff != "" || s.runs != 3 || len(s.schedulers) != 2 {
		t.Errorf("got %d runs of %v, -want +got:\n%s", s.runs, s.schedulers, diff)
	}
	live := mustSettings(t, "-mode", "live", "-rate", "50").cases
	if diff := cmp.Diff([]result.Case{{Workload: "B1", Nodes: 5000, Pods: 1000, Rate: 50}}, live); diff != "" {
		t.Errorf("live: -want +got:\n%s", diff)
	}
}

func TestMistakesOnTheCommandLineAreNamed(t *testing.T) {
	f := func(want string, args ...string) {
		t.Helper()
		if _, err := parseSettings(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want an error with %q", args, err, want)
		}
	}
	f(`no mode "slow"`, "-mode", "slow")
	f(`argument ["now"]`, "now")
	f(`no scheduler "yours"`, "-schedulers", "null,yours")
	f(`no workload "B9"`, "-cases", "B9:100")
	f("numbers of nodes", "-cases", "B1")
	f("numbers of nodes", "-cases", "B1:0")
	if _, err := parseSettings([]string{"-help"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("got %v for -help", err)
	}
}

func TestGuardIsNoPlugin(t *testing.T) {
	f := func(name string, want bool) {
		t.Helper()
		if got := isBuilt(name); got != want {
			t.Errorf("%s is built: %v, want %v", name, got, want)
		}
	}
	f("NodeResourcesFit", true)
	f("NodeAffinity", true)
	f("NodePorts", true)
	f("NoSuchPlugin", false)
	f("DynamicResources", false)
}
