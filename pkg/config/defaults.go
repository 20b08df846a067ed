package config

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/config/v1alpha1"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-scheduler/berth/pkg/features"
)

// extenderTimeout limits a call to an extender that sets no limit.
const extenderTimeout = 5 * time.Second

func setDefaults(c *configv1.KubeSchedulerConfiguration, g *features.Gates) {
	setDefault(&c.Parallelism, 16)
	setDefault(&c.PercentageOfNodesToScore, 0)
	setDefault(&c.PodInitialBackoffSeconds, 1)
	setDefault(&c.PodMaxBackoffSeconds, 10)
	setLeaderElection(&c.LeaderElection)
	setClientConnection(&c.ClientConnection)
	v1alpha1.RecommendedDebuggingConfiguration(&c.DebuggingConfiguration)
	setDefault(&c.EnableContentionProfiling, *c.EnableProfiling)
	if len(c.Profiles) == 0 {
		c.Profiles = []configv1.KubeSchedulerProfile{{}}
	}
	if len(c.Profiles) == 1 {
		setDefault(&c.Profiles[0].SchedulerName, DefaultSchedulerName)
	}
	for i := range c.Profiles {
		setProfile(&c.Profiles[i], g)
	}
	for i := range c.Extenders {
		if timeout := &c.Extenders[i].HTTPTimeout; timeout.Duration == 0 {
			timeout.Duration = extenderTimeout
		}
	}
}

// setDefault sets a field that is left out.
func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = ptr.To(value)
	}
}

func setLeaderElection(l *v1alpha1.LeaderElectionConfiguration) {
	if l.ResourceLock == "" { // the library's own default is long gone
		l.ResourceLock = leases
	}
	if l.ResourceName == "" {
		l.ResourceName = configv1.SchedulerDefaultLockObjectName
	}
	if l.ResourceNamespace == "" {
		l.ResourceNamespace = configv1.SchedulerDefaultLockObjectNamespace
	}
	v1alpha1.RecommendedDefaultLeaderElectionConfiguration(l)
}

func setClientConnection(c *v1alpha1.ClientConnectionConfiguration) {
	v1alpha1.RecommendedDefaultClientConnectionConfiguration(c)
}

// setProfile merges a profile's plugins with the default ones, and gives each of them
// that has arguments its own.
func setProfile(p *configv1.KubeSchedulerProfile, g *features.Gates) {
	user := ptr.Deref(p.Plugins, configv1.Plugins{})
	p.Plugins = merge(defaultSet(g), &user)
	for i := range p.PluginConfig {
		c := &p.PluginConfig[i]
		kind := kinds[c.Name]
		if kind == nil {
			continue
		}
		if c.Args.Object == nil {
			c.Args.Object = kind.new()
		}
		kind.setDefaults(c.Args.Object, g)
	}
	for _, name := range enabled(p.Plugins) {
		kind := kinds[name]
		if kind == nil || slices.ContainsFunc(p.PluginConfig, func(c configv1.PluginConfig) bool { return c.Name == name }) {
			continue
		}
		args := kind.new()
		kind.setDefaults(args, g)
		p.PluginConfig = append(p.PluginConfig, configv1.PluginConfig{Name: name, Args: runtime.RawExtension{Object: args}})
	}
}

// enabled returns the names that a profile enables anywhere, each once.
func enabled(p *configv1.Plugins) []string {
	var list []string
	for _, set := range sets(p) {
		for _, e := range set.Enabled {
			if !slices.Contains(list, e.Name) {
				list = append(list, e.Name)
			}
		}
	}
	return list
}
