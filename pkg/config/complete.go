package config

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"
)

// Complete brings a valid configuration into the form that is printed and run: each
// profile keeps the arguments of the plugins that it runs, sorted by name, and leaves to
// extenders the resources that they manage alone.
func (c *Config) Complete() error {
	if err := c.ignoreManaged(); err != nil {
		return err
	}
	for i := range c.Profiles {
		p := &c.Profiles[i]
		needed := Needed(p)
		p.PluginConfig = slices.DeleteFunc(slices.Clone(p.PluginConfig), func(pc configv1.PluginConfig) bool {
			return !slices.Contains(needed, pc.Name) || pc.Args.Object == nil && len(pc.Args.Raw) == 0
		})
		slices.SortFunc(p.PluginConfig, func(a, b configv1.PluginConfig) int { return strings.Compare(a.Name, b.Name) })
	}
	return nil
}

// Needed returns the in-tree plugins that a profile enables anywhere, each once.
func Needed(p *configv1.KubeSchedulerProfile) []string {
	return slices.DeleteFunc(enabled(p.Plugins), func(name string) bool { _, known := Extends(name); return !known })
}

// ignoreManaged makes NodeResourcesFit ignore what an extender looks after by itself.
func (c *Config) ignoreManaged() error {
	var ignored []string
	for _, e := range c.Extenders {
		for _, r := range e.ManagedResources {
			if r.IgnoredByScheduler {
				ignored = append(ignored, r.Name)
			}
		}
	}
	if len(ignored) == 0 {
		return nil
	}
	for i := range c.Profiles {
		fit, ok := Args(&c.Profiles[i], "NodeResourcesFit").(*configv1.NodeResourcesFitArgs)
		if !ok {
			return errors.New("couldn't build extenders: can't find NodeResourcesFitArgs in plugin config")
		}
		fit.IgnoredResources = slices.Clone(ignored)
	}
	return nil
}

// RawArgs returns the arguments of a plugin as JSON where only the plugin knows their
// type, nil when it has none.
func RawArgs(p *configv1.KubeSchedulerProfile, plugin string) []byte {
	for i := range p.PluginConfig {
		if c := &p.PluginConfig[i]; c.Name == plugin {
			return c.Args.Raw
		}
	}
	return nil
}

// Args returns the arguments of a plugin, nil when it has none.
func Args(p *configv1.KubeSchedulerProfile, plugin string) runtime.Object {
	for i := range p.PluginConfig {
		if p.PluginConfig[i].Name == plugin {
			return p.PluginConfig[i].Args.Object
		}
	}
	return nil
}
