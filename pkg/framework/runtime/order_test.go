package runtime_test

import (
	"fmt"
	"testing"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/sim"
)

// defaults returns the plugins of the default profile.
func defaults(t testing.TB) []runtime.Enabled {
	t.Helper()
	var list []runtime.Enabled
	for _, p := range config.DefaultPlugins() {
		plugin, err := plugins.New(p.Name, nil, plugins.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, runtime.Enabled{Plugin: plugin, Weight: p.Weight})
	}
	return list
}

// alias is a filter under another name, and so at another place of the hot path.
type alias struct {
	named
	framework.Filter
	pre framework.PreFilter
}

func (a alias) Name() string { return string(a.named) }

func (a alias) PreFilter(c *framework.Cycle) framework.Prep {
	if a.pre == nil {
		return framework.Prep{}
	}
	return a.pre.PreFilter(c)
}

// renamed is the default profile whose filters have swapped their names. Their
// configured order is the same.
func renamed(t testing.TB, g *sim.Gen) []runtime.Enabled {
	list := defaults(t)
	var at []int
	var names []string
	for i, e := range list {
		if _, ok := e.Plugin.(framework.Filter); ok {
			at = append(at, i)
			names = append(names, e.Plugin.Name())
		}
	}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i, k := range at {
		pre, _ := list[k].Plugin.(framework.PreFilter)
		list[k].Plugin = alias{named(names[i]), list[k].Plugin.(framework.Filter), pre}
	}
	return list
}

func TestOrderOfTheHotPathCannotBeSeen(t *testing.T) {
	sim.Each(t, 400, func(seed uint64) error {
		g := sim.New(seed)
		w, specs := g.World(), podspec.NewCompiler()
		c := w.Load(specs)
		waiting := nominated{}
		for _, p := range w.Pending {
			if node := p.Status.NominatedNodeName; node != "" {
				waiting[node] = append(waiting[node], specs.Compile(p))
			}
		}
		one, err := runtime.New(runtime.AtAllPoints("one", defaults(t)), c, waiting)
		if err != nil {
			return err
		}
		two, err := runtime.New(runtime.AtAllPoints("two", renamed(t, g)), c, waiting)
		if err != nil {
			return err
		}
		for _, p := range w.Pending {
			a, b := outcome(one, c, specs.Compile(p)), outcome(two, c, specs.Compile(p))
			if a != b {
				return fmt.Errorf("%s\nin one order:  %s\nin another:    %s\n%s", sim.PodLine(p), a, b, w)
			}
		}
		return nil
	})
}

// outcome is the rows that take a pod, or why none does.
func outcome(ch *runtime.Chain, c *cluster.Cluster, p *podspec.Pod) string {
	n, err := ch.Narrow(p)
	if err != nil {
		return "error: " + err.Error()
	}
	if n > 0 {
		return ch.Feasible().String()
	}
	failure, err := ch.Explain()
	if err != nil {
		return "error: " + err.Error()
	}
	text := failure.Text()
	for row := range c.Live().All() {
		code, reasons := ch.Verdicts().Row(row)
		text += fmt.Sprintf("\n  %s: %v %v", c.Name(row), code, reasons)
	}
	return text
}
