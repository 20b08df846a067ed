package runtime

import (
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
)

// Profile is what a chain is compiled from.
type Profile struct {
	Name    string            // the scheduler name that pods ask for
	Plugins *configv1.Plugins // merged with the default ones
	Made    map[string]framework.Plugin
}

// Enabled is a plugin that a profile runs. Weight counts where it scores; 0 is 1.
type Enabled struct {
	Plugin framework.Plugin
	Weight int64
}

// AtAllPoints returns a profile that runs each plugin at every point that it extends, in
// the order given.
func AtAllPoints(name string, plugins []Enabled) Profile {
	p := Profile{Name: name, Plugins: &configv1.Plugins{}, Made: map[string]framework.Plugin{}}
	for _, e := range plugins {
		weight := int32(e.Weight)
		p.Plugins.MultiPoint.Enabled = append(p.Plugins.MultiPoint.Enabled, configv1.Plugin{Name: e.Plugin.Name(), Weight: &weight})
		p.Made[e.Plugin.Name()] = e.Plugin
	}
	return p
}
