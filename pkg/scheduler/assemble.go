package scheduler

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/features"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// assemble turns a configuration into what the engine is told. Feature gates are read
// here and nowhere below.
func assemble(cfg config.Config, seed uint64) (engine.Config, error) {
	if len(cfg.Extenders) > 0 {
		return engine.Config{}, errors.New("extenders are configured, which this version does not have")
	}
	compiler := podspec.NewCompiler()
	compiler.PodLevelResources = cfg.Gates.Enabled(features.PodLevelResources)
	compiler.PodLevelResourcesResize = cfg.Gates.Enabled(features.InPlacePodLevelResourcesVerticalScaling)
	compiler.MatchLabelKeys = cfg.Gates.Enabled(features.MatchLabelKeysInPodTopologySpread)
	out := engine.Config{
		Compiler:             compiler,
		Seed:                 seed,
		InitialBackoff:       time.Duration(*cfg.PodInitialBackoffSeconds) * time.Second,
		MaxBackoff:           time.Duration(*cfg.PodMaxBackoffSeconds) * time.Second,
		PopFromBackoff:       cfg.Gates.Enabled(features.SchedulerPopFromBackoffQ),
		UnschedulableTimeout: cfg.UnschedulableTimeout,
	}
	options := plugins.Options{TaintComparison: cfg.Gates.Enabled(features.TaintTolerationComparisonOperators)}
	for i := range cfg.Profiles {
		p := &cfg.Profiles[i]
		made, err := instances(p, options)
		if err != nil {
			return engine.Config{}, fmt.Errorf("initializing profiles: creating profile for scheduler name %s: %w", *p.SchedulerName, err)
		}
		out.Profiles = append(out.Profiles, engine.Profile{
			Profile: runtime.Profile{Name: *p.SchedulerName, Plugins: p.Plugins, Made: made},
			Sample:  sample(&cfg, p),
		})
	}
	return out, nil
}

// instances makes the plugins of one profile. One that does not exist is left out: the
// chain tells where it is named.
func instances(p *configv1.KubeSchedulerProfile, o plugins.Options) (map[string]framework.Plugin, error) {
	made := map[string]framework.Plugin{}
	for _, name := range config.Needed(p) {
		plugin, err := plugins.New(name, config.Args(p, name), o)
		if err != nil {
			return nil, err
		}
		made[name] = plugin
	}
	return made, nil
}

// sample is how many nodes a profile chooses among: all of them, unless somebody set a
// percentage or the gate ScoreAllNodes is off.
func sample(cfg *config.Config, p *configv1.KubeSchedulerProfile) runtime.Sample {
	pct := runtime.Sample(ptr.Deref(p.PercentageOfNodesToScore, *cfg.PercentageOfNodesToScore))
	if pct == runtime.Adaptive && cfg.Gates.Enabled(features.ScoreAllNodes) {
		return runtime.AllNodes
	}
	return pct
}

// checkSorts checks that all profiles sort the queue alike, since they share it.
func checkSorts(cfg *config.Config, e *engine.Engine) error {
	first := &cfg.Profiles[0]
	sort := sorter(e, first)
	for i := range cfg.Profiles[1:] {
		p := &cfg.Profiles[i+1]
		if other := sorter(e, p); other != sort {
			return fmt.Errorf("different queue sort plugins for profile %q: %q, first: %q", *p.SchedulerName, other, sort)
		}
		if !bytes.Equal(config.RawArgs(first, sort), config.RawArgs(p, sort)) {
			return fmt.Errorf("different queue sort plugin args for profile %q", *p.SchedulerName)
		}
	}
	return nil
}

func sorter(e *engine.Engine, p *configv1.KubeSchedulerProfile) string {
	return e.Table(*p.SchedulerName)[config.QueueSort][0].Name
}
