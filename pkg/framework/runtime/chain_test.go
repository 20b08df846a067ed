package runtime_test

import (
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// sorting and binding are the two halves of ends.
type sorting struct{ named }

func (sorting) Less(a, b *framework.Queued) bool { return a.Since > b.Since }

type binding struct{ named }

func (binding) Binds(*podspec.Pod) bool { return true }

// gating keeps pods out of the queue for a reason, if it has one.
type gating struct {
	named
	reason string
}

func (g gating) PreEnqueue(*podspec.Pod) *framework.Rejection {
	if g.reason == "" {
		return nil
	}
	return framework.Reject(fwk.UnschedulableAndUnresolvable, g.reason)
}

func TestProfileThatCannotWorkIsRefused(t *testing.T) {
	f := func(want string, list ...framework.Plugin) {
		t.Helper()
		var enabled []runtime.Enabled
		for _, p := range list {
			enabled = append(enabled, runtime.Enabled{Plugin: p})
		}
		_, err := runtime.New(runtime.AtAllPoints("mine", enabled), cluster.New(podspec.NewResources()), nominated{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	own := &scorer{named: "S", norm: framework.NormCustom}
	f("", sorting{"A"}, binding{"B"})
	f(`plugin "A" already registered as "BindPlugin"`, sorting{"S"}, binding{"A"}, binding{"A"})
	f(`only one queue sort plugin required for profile with scheduler name "mine", but got 2`, sorting{"A"}, binding{"B"}, sorting{"C"})
	f(`only one queue sort plugin required for profile with scheduler name "mine", but got 0`, binding{"B"})
	f(`at least one bind plugin is needed for profile with scheduler name "mine"`, sorting{"A"})
	f(`BUG: plugin "S" normalises its own scores but is no Normalizer`, sorting{"A"}, binding{"B"}, own)
	f("", sorting{"A"}, binding{"B"}, normalizer{own, nil})
}

func TestChainTellsWhatItIsMadeOf(t *testing.T) {
	var enabled []runtime.Enabled
	for _, p := range []framework.Plugin{
		sorting{"A"}, &filter{named: "F"}, binding{"B"}, binding{"C"}, &scorer{named: "S"}, gating{"G", ""}, gating{"I", "shut"},
		gating{"J", "shut too"}, holder{named: "H"}, &preFilter{named: "P"}, &postFilter{named: "Q"},
	} {
		enabled = append(enabled, runtime.Enabled{Plugin: p})
	}
	specs := podspec.NewCompiler()
	ch, err := runtime.New(runtime.AtAllPoints("mine", enabled), cluster.New(specs.Resources), nominated{})
	if err != nil {
		t.Fatal(err)
	}
	if ch.Profile() != "mine" || ch.Binder() != "B" {
		t.Errorf("profile %s binds with %s, want mine and the first, B", ch.Profile(), ch.Binder())
	}
	if !ch.Less(&framework.Queued{Since: 2}, &framework.Queued{Since: 1}) {
		t.Error("the queue is not in the sort plugin's order")
	}
	var rejectors []string
	for _, p := range ch.Rejectors() {
		rejectors = append(rejectors, p.Name())
	}
	expectNames(t, "rejectors", rejectors, "G I J P F H") // who binds or only scores refuses nobody
}

func TestFirstPluginThatGatesIsTold(t *testing.T) {
	s := newStage(t, "a", gating{"G", ""}, gating{"I", "shut"}, gating{"J", "shut too"})
	f := func(last, want, reason string) {
		t.Helper()
		if by, why := s.Gate(s.pod("p"), last); by != want || why == nil || why.Reasons[0] != reason {
			t.Errorf("gated by %q (%v), want %q", by, why, want)
		}
	}
	f("", "I", "shut")
	f("J", "J", "shut too") // who did before is asked first
	f("G", "I", "shut")     // and no longer does
	f("Z", "I", "shut")

	s = newStage(t, "a", gating{"G", ""})
	if by, why := s.Gate(s.pod("p"), "G"); by != "" || why != nil {
		t.Errorf("gated by %q: %v, want nobody", by, why)
	}
}
