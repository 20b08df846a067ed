package scheduler

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/features"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins/nodeunschedulable"
)

// assembled is what the engine is told with some gates and a file.
func assembled(t *testing.T, gates, file string) engine.Config {
	t.Helper()
	g, fs := features.New(), pflag.NewFlagSet("test", pflag.ContinueOnError)
	g.AddFlags(fs)
	if err := fs.Parse([]string{"--feature-gates=" + gates}); err != nil {
		t.Fatal(err)
	}
	if err := g.Set(); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load([]byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"+file), g)
	if err != nil {
		t.Fatal(err)
	}
	out, err := assemble(cfg, 7)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGatesSwitchWhatTheirRowsSay(t *testing.T) {
	const levels = "PodLevelResourcesFixDefaulting=false,PodLevelResourcesFixKubeletQOSClass=false,InPlacePodLevelResourcesVerticalScaling=false"
	const keys = "MatchLabelKeysInPodTopologySpreadSelectorMerge=false" // which needs the gate before it
	f := func(gates string, pop, compare, level, resize, keys bool, sample runtime.Sample) {
		t.Helper()
		c := assembled(t, gates, "")
		p := c.Profiles[0]
		cordons := p.Made[nodeunschedulable.Name].(*nodeunschedulable.NodeUnschedulable)
		if c.PopFromBackoff != pop || cordons.CompareOperators != compare || c.Compiler.PodLevelResources != level ||
			c.Compiler.PodLevelResourcesResize != resize || c.Compiler.MatchLabelKeys != keys || p.Sample != sample {
			t.Errorf("%s: pop %v, compare %v, pod level %v, resize %v, keys %v, sample %d; want %v, %v, %v, %v, %v, %d", gates,
				c.PopFromBackoff, cordons.CompareOperators, c.Compiler.PodLevelResources, c.Compiler.PodLevelResourcesResize,
				c.Compiler.MatchLabelKeys, p.Sample, pop, compare, level, resize, keys, sample)
		}
	}
	f("", true, false, true, true, true, runtime.AllNodes)
	f("SchedulerPopFromBackoffQ=false", false, false, true, true, true, runtime.AllNodes)
	f("TaintTolerationComparisonOperators=true", true, true, true, true, true, runtime.AllNodes)
	f("InPlacePodLevelResourcesVerticalScaling=false", true, false, true, false, true, runtime.AllNodes)
	f("PodLevelResources=false,"+levels, true, false, false, false, true, runtime.AllNodes)
	f("MatchLabelKeysInPodTopologySpread=false,"+keys, true, false, true, true, false, runtime.AllNodes)
	f("ScoreAllNodes=false", true, false, true, true, true, runtime.Adaptive)
}

func TestProfileSamplesAsItSaysOrAsAll(t *testing.T) {
	c := assembled(t, "", "podInitialBackoffSeconds: 2\npodMaxBackoffSeconds: 30\npercentageOfNodesToScore: 30\n"+
		"profiles: [{schedulerName: a}, {schedulerName: b, percentageOfNodesToScore: 50}, {schedulerName: c, percentageOfNodesToScore: 0}]\n")
	for i, want := range []runtime.Sample{30, 50, runtime.AllNodes} {
		if got := c.Profiles[i].Sample; got != want {
			t.Errorf("profile %s: sample %d, want %d", c.Profiles[i].Name, got, want)
		}
	}
	if c.Seed != 7 || c.InitialBackoff != 2*time.Second || c.MaxBackoff != 30*time.Second || c.UnschedulableTimeout != 5*time.Minute {
		t.Errorf("got %+v", c)
	}
}

func TestTableIsPrintedAsUpstreamDoes(t *testing.T) {
	var list runtime.Table
	list[config.Score] = []config.Plugin{{Name: "A", Weight: 3}}
	text, err := json.Marshal(table(list))
	want := `{"PreEnqueue":{"Enabled":null,"Disabled":null},"QueueSort":{"Enabled":null,"Disabled":null},` +
		`"PreFilter":{"Enabled":null,"Disabled":null},"Filter":{"Enabled":null,"Disabled":null},"PostFilter":{"Enabled":null,"Disabled":null},` +
		`"PreScore":{"Enabled":null,"Disabled":null},"Score":{"Enabled":[{"Name":"A","Weight":3}],"Disabled":null},` +
		`"Reserve":{"Enabled":null,"Disabled":null},"Permit":{"Enabled":null,"Disabled":null},"PreBind":{"Enabled":null,"Disabled":null},` +
		`"Bind":{"Enabled":null,"Disabled":null},"PostBind":{"Enabled":null,"Disabled":null},"MultiPoint":{"Enabled":null,"Disabled":null},` +
		`"PlacementGenerate":{"Enabled":null,"Disabled":null},"PlacementScore":{"Enabled":null,"Disabled":null},` +
		`"PodGroupPostFilter":{"Enabled":null,"Disabled":null}}`
	if err != nil || string(text) != want {
		t.Errorf("got  %s (%v)\nwant %s", text, err, want)
	}
}
