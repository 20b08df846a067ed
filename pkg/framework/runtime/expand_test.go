package runtime_test

import (
	"fmt"
	"strings"
	"testing"

	configv1 "k8s.io/kube-scheduler/config/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// everything filters, prepares, scores and prepares that.
type everything struct {
	scoringFilter
	prep framework.Prep
}

func (p everything) PreScore(*framework.Cycle, []int32) framework.Prep { return p.prep }

func newEverything(name string) everything {
	filter := withPrep(&filter{named: named(name)}, func(*framework.Cycle) framework.Prep { return framework.Prep{} })
	return everything{scoringFilter: scoringFilter{filter, &scorer{named: named(name)}}}
}

func (p everything) Name() string { return p.scoringFilter.preparedFilter.Name() }

// compile compiles a profile that is written as in a file, of plugins that filter and
// score (A, B, C), only score (S, T), or do what every profile must have (Ends).
func compile(t *testing.T, text string) (*runtime.Chain, error) {
	t.Helper()
	p := runtime.Profile{Name: "mine", Plugins: &configv1.Plugins{}, Made: map[string]framework.Plugin{}}
	if err := yaml.UnmarshalStrict([]byte(text), p.Plugins); err != nil {
		t.Fatal(err)
	}
	for _, plugin := range []framework.Plugin{
		newEverything("A"), newEverything("B"), newEverything("C"), &scorer{named: "S"}, &scorer{named: "T"}, ends{"Ends"},
	} {
		p.Made[plugin.Name()] = plugin
	}
	return runtime.New(p, cluster.New(podspec.NewResources()), nominated{})
}

// line prints who runs at a point.
func line(ch *runtime.Chain, at config.Point) string {
	var words []string
	for _, e := range ch.Table()[at] {
		if e.Weight != 0 {
			e.Name += fmt.Sprint("*", e.Weight)
		}
		words = append(words, e.Name)
	}
	return strings.Join(words, " ")
}

const everywhere = "multiPoint: {enabled: [{name: A, weight: 3}, {name: S}, {name: B}, {name: Ends}]}\n"

func TestMultiPointIsExpandedAtEachPoint(t *testing.T) {
	f := func(text, filters, scores string) {
		t.Helper()
		ch, err := compile(t, everywhere+text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		if got := line(ch, config.Filter); got != filters {
			t.Errorf("%s: filters %q, want %q", text, got, filters)
		}
		if got := line(ch, config.Score); got != scores {
			t.Errorf("%s: scorers %q, want %q", text, got, scores)
		}
	}
	f("", "A B", "A*3 S*1 B*1")
	f("filter: {disabled: [{name: A}]}", "B", "A*3 S*1 B*1")
	f("filter: {disabled: [{name: Nobody}]}", "A B", "A*3 S*1 B*1")
	f("score: {disabled: [{name: '*'}]}", "A B", "")
	f("score: {disabled: [{name: '*'}], enabled: [{name: S}, {name: A}]}", "A B", "S*1 A*1")
	f("filter: {enabled: [{name: C}]}", "A B C", "A*3 S*1 B*1")            // only named there: at the end
	f("filter: {enabled: [{name: C}, {name: B}]}", "B A C", "A*3 S*1 B*1") // named in place of MultiPoint: in front
	f("score: {enabled: [{name: B, weight: 5}, {name: A}]}", "A B", "B*5 A*1 S*1")
	f("score: {disabled: [{name: S}], enabled: [{name: S, weight: 7}, {name: B}]}", "A B", "B*1 A*3 S*7")
	f("score: {enabled: [{name: T, weight: 9}]}", "A B", "A*3 S*1 B*1 T*9")
}

func TestProfilesThatCannotBeExpandedAreRefused(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		if _, err := compile(t, text); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	f("multiPoint: {enabled: [{name: X}]}\nscore: {enabled: [{name: Q}]}", `ScorePlugin "Q" does not exist`)
	f("multiPoint: {enabled: [{name: X}]}", `PreFilterPlugin "X" does not exist`)
	f("multiPoint: {enabled: [{name: X}]}\npreFilter: {disabled: [{name: '*'}]}", `FilterPlugin "X" does not exist`)
	f("multiPoint: {enabled: [{name: X}]}\npreFilter: {disabled: [{name: X}]}", `PreFilterPlugin "X" does not exist`)
	f("multiPoint: {enabled: [{name: S}, {name: S}]}", `plugin "S" already registered as "ScorePlugin"`)
	f("filter: {enabled: [{name: A}, {name: A}]}", `plugin "A" already registered as "FilterPlugin"`)
	f("filter: {enabled: [{name: S}]}", `plugin "S" does not extend FilterPlugin plugin`)
	f(everywhere+"score: {enabled: [{name: T, weight: -1}]}", "score plugins: total score of Score plugins could overflow")
	// Even of one that does not run there.
	f("multiPoint: {enabled: [{name: A, weight: -1}, {name: Ends}]}\nscore: {disabled: [{name: A}]}", "score plugins: total score of Score plugins could overflow")
}

func TestInTreePluginsExtendWhatTheirNamesStandFor(t *testing.T) {
	p := runtime.AtAllPoints("mine", []runtime.Enabled{{Plugin: newEverything("ImageLocality")}, {Plugin: &filter{named: "NodeResourcesFit"}}, {Plugin: ends{"Ends"}}})
	ch, err := runtime.New(p, cluster.New(podspec.NewResources()), nominated{})
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[config.Point]string{
		config.Filter: "NodeResourcesFit", config.PreFilter: "NodeResourcesFit", config.PreScore: "NodeResourcesFit",
		config.Score: "ImageLocality*1 NodeResourcesFit*1", config.PlacementScore: "NodeResourcesFit*1",
	} {
		if got := line(ch, at); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}

// Who filters or scores is prepared although the profile leaves that out, and what only
// prepares still does.
func TestPreparationFollowsWhatItIsFor(t *testing.T) {
	specs := podspec.NewCompiler()
	c := cluster.New(specs.Resources)
	c.SetNode(object.Node("a"))
	c.SetNode(object.Node("b"))
	a, b := newEverything("A"), newEverything("B")
	p := runtime.AtAllPoints("mine", []runtime.Enabled{{Plugin: a}, {Plugin: b}, {Plugin: ends{"Ends"}}})
	everyone := configv1.PluginSet{Disabled: []configv1.Plugin{{Name: "*"}}}
	p.Plugins.PreFilter, p.Plugins.PreScore = everyone, everyone
	p.Plugins.Filter = configv1.PluginSet{Enabled: []configv1.Plugin{{Name: "B"}}, Disabled: []configv1.Plugin{{Name: "A"}}}
	ch, err := runtime.New(p, c, nominated{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ch.Narrow(specs.Compile(object.Pod("p"))); err != nil {
		t.Fatal(err)
	}
	if a.pre.calls != 0 || b.pre.calls != 1 {
		t.Errorf("A is prepared %d times and B %d times, want only B, which filters", a.pre.calls, b.pre.calls)
	}
}
