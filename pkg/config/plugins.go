package config

import (
	"slices"

	"k8s.io/component-base/featuregate"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
)

// Plugin is a plugin's name and its weight where it scores; 0 is 1.
type Plugin struct {
	Name   string
	Weight int64
}

// inTree is an in-tree plugin as a configuration sees it.
type inTree struct {
	Plugin
	at   []Point             // the points that it extends
	gate featuregate.Feature // without which it is not among the default ones
}

func at(p ...Point) []Point { return p }

// plugins are the in-tree plugins in the order of the default profile.
var plugins = []inTree{
	{Plugin{"SchedulingGates", 0}, at(PreEnqueue), ""},
	{Plugin{"PrioritySort", 0}, at(QueueSort), ""},
	{Plugin{"NodeName", 0}, at(PreFilter, Filter), ""},
	{Plugin{"NodeUnschedulable", 0}, at(PreFilter, Filter), ""},
	{Plugin{"TaintToleration", 3}, at(PreFilter, Filter, PreScore, Score), ""},
	{Plugin{"NodeAffinity", 2}, at(PreFilter, Filter, PreScore, Score), ""},
	{Plugin{"NodePorts", 0}, at(PreFilter, Filter), ""},
	{Plugin{"DeferredPodScheduling", 0}, at(PreFilter, Filter, Permit), "InPlacePodVerticalScalingSchedulerPreemption"},
	{Plugin{"NodeResourcesFit", 1}, at(PreFilter, Filter, PreScore, Score, PlacementScore), ""},
	{Plugin{"VolumeRestrictions", 0}, at(PreFilter, Filter), ""},
	{Plugin{"NodeVolumeLimits", 0}, at(PreFilter, Filter), ""},
	{Plugin{"VolumeBinding", 0}, at(PreFilter, Filter, PreScore, Score, Reserve, PreBind), ""},
	{Plugin{"VolumeZone", 0}, at(PreFilter, Filter), ""},
	{Plugin{"PodTopologySpread", 2}, at(PreFilter, Filter, PreScore, Score), ""},
	{Plugin{"InterPodAffinity", 2}, at(PreFilter, Filter, PreScore, Score), ""},
	{Plugin{"DynamicResources", 2}, at(PreEnqueue, PreFilter, Filter, PostFilter, Score, Reserve, PreBind, PodGroupPostFilter), features.DynamicResourceAllocation},
	{Plugin{"DefaultPreemption", 0}, at(PreEnqueue, PostFilter, PodGroupPostFilter), ""},
	{Plugin{"NodeResourcesBalancedAllocation", 1}, at(PreScore, Score), ""},
	{Plugin{"ImageLocality", 1}, at(Score), ""},
	{Plugin{"DefaultBinder", 0}, at(Bind), ""},
	{Plugin{"NodeDeclaredFeatures", 0}, at(PreFilter, Filter), features.NodeDeclaredFeatures},
	{Plugin{"GangScheduling", 0}, at(PreEnqueue, Permit), "GenericWorkload"},
	{Plugin{"TopologyPlacementGenerator", 0}, at(PlacementGenerate), "TopologyAwareWorkloadScheduling"},
	{Plugin{"PodGroupPodsCount", 1}, at(PlacementScore), "TopologyAwareWorkloadScheduling"},
}

// Extends returns the points that an in-tree plugin extends, and false when there is
// none of that name.
func Extends(name string) ([]Point, bool) {
	i := slices.IndexFunc(plugins, func(p inTree) bool { return p.Name == name })
	if i < 0 {
		return nil, false
	}
	return plugins[i].at, true
}

// DefaultPlugins returns the plugins of a profile that names none, in order, with gates
// as by default.
func DefaultPlugins() []Plugin { return defaultPlugins(features.New()) }

func defaultPlugins(g *features.Gates) []Plugin {
	var list []Plugin
	for _, p := range plugins {
		if p.gate == "" || g.Enabled(p.gate) {
			list = append(list, p.Plugin)
		}
	}
	return list
}

// defaultSet is what the default profile says: MultiPoint, and nothing about any point.
func defaultSet(g *features.Gates) *configv1.Plugins {
	var p configv1.Plugins
	for _, d := range defaultPlugins(g) {
		p.MultiPoint.Enabled = append(p.MultiPoint.Enabled, configv1.Plugin{Name: d.Name, Weight: weight(d.Weight)})
	}
	return &p
}

func weight(w int64) *int32 {
	out := int32(w)
	return &out
}
