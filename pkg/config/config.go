package config

import (
	"time"

	componentbaseconfig "k8s.io/component-base/config"
	"k8s.io/component-base/config/v1alpha1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
)

// DefaultSchedulerName is the name of the profile that pods get which name none.
const DefaultSchedulerName = "default-scheduler"

// Config is all that a scheduler is told. It has no defaults left to fill in: every
// pointer that has one is set, and each profile lists its plugins and their arguments.
type Config struct {
	configv1.KubeSchedulerConfiguration

	// Gates are what the command was told about features.
	Gates *features.Gates

	// UnschedulableTimeout is how long a pod may wait for an event before it is
	// tried again without one. No file can set it.
	UnschedulableTimeout time.Duration
}

// Default returns the configuration of a scheduler that was told nothing.
func Default() Config { return For(features.New()) }

// For returns the configuration of a scheduler that was told nothing but gates.
func For(g *features.Gates) Config {
	return complete(&configv1.KubeSchedulerConfiguration{}, g)
}

// Load reads a file and fills in what it leaves out.
func Load(text []byte, g *features.Gates) (Config, error) {
	file, err := decode(text)
	if err != nil {
		return Config{}, err
	}
	return complete(file, g), nil
}

func complete(file *configv1.KubeSchedulerConfiguration, g *features.Gates) Config {
	setDefaults(file, g)
	return Config{KubeSchedulerConfiguration: *file, Gates: g, UnschedulableTimeout: 5 * time.Minute}
}

// Election returns the part about leader election in the form that libraries ask for.
func (c *Config) Election() componentbaseconfig.LeaderElectionConfiguration {
	var l componentbaseconfig.LeaderElectionConfiguration
	must(v1alpha1.Convert_v1alpha1_LeaderElectionConfiguration_To_config_LeaderElectionConfiguration(&c.LeaderElection, &l, nil))
	return l
}
