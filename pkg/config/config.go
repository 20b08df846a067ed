package config

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// DefaultSchedulerName is the name of the profile that pods get which name none.
const DefaultSchedulerName = "default-scheduler"

// Config is a complete configuration.
type Config struct {
	Profiles []Profile

	PodInitialBackoff time.Duration // first wait after a failed attempt
	PodMaxBackoff     time.Duration // waits double up to this

	// PopFromBackoff lets a pod be tried before its wait is over when no other is there
	// to be tried. It is the gate SchedulerPopFromBackoffQ.
	PopFromBackoff bool

	// UnschedulableTimeout is how long a pod may wait for an event before it is
	// tried again without one.
	UnschedulableTimeout time.Duration

	ClientQPS   float32 // requests to the API server a second; negative means no limit
	ClientBurst int
}

// Profile is a scheduler name and what runs for the pods that name it.
type Profile struct {
	SchedulerName string
	Plugins       []Plugin // MultiPoint: each plugin at every extension point it has

	// Args are the arguments of plugins by name. A plugin without works as by default.
	Args map[string]runtime.Object
}

// Plugin is a plugin's name and its weight where it scores; 0 is 1.
type Plugin struct {
	Name   string
	Weight int64
}

// Default returns the configuration of a scheduler that was told nothing.
func Default() Config {
	return Config{
		Profiles:             []Profile{{SchedulerName: DefaultSchedulerName, Plugins: DefaultPlugins()}},
		PodInitialBackoff:    time.Second,
		PodMaxBackoff:        10 * time.Second,
		PopFromBackoff:       true,
		UnschedulableTimeout: 5 * time.Minute,
		ClientQPS:            50,
		ClientBurst:          100,
	}
}

// DefaultPlugins returns the plugins of a profile that names none, in order.
func DefaultPlugins() []Plugin {
	return []Plugin{
		{Name: "SchedulingGates"},
		{Name: "PrioritySort"},
		{Name: "NodeName"},
		{Name: "NodeUnschedulable"},
		{Name: "TaintToleration", Weight: 3},
		{Name: "NodeAffinity", Weight: 2},
		{Name: "NodePorts"},
		{Name: "NodeResourcesFit", Weight: 1},
		{Name: "VolumeRestrictions"},
		{Name: "NodeVolumeLimits"},
		{Name: "VolumeBinding"},
		{Name: "VolumeZone"},
		{Name: "PodTopologySpread", Weight: 2},
		{Name: "InterPodAffinity", Weight: 2},
		{Name: "DynamicResources", Weight: 2},
		{Name: "DefaultPreemption"},
		{Name: "NodeResourcesBalancedAllocation", Weight: 1},
		{Name: "ImageLocality", Weight: 1},
		{Name: "DefaultBinder"},
		{Name: "NodeDeclaredFeatures"},
	}
}
