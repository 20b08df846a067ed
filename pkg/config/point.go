package config

import configv1 "k8s.io/kube-scheduler/config/v1"

// Point is an extension point.
type Point int

// The extension points, in the order in which they are printed.
const (
	PreEnqueue Point = iota
	QueueSort
	PreFilter
	Filter
	PostFilter
	PreScore
	Score
	Reserve
	Permit
	PreBind
	Bind
	PostBind
	PlacementGenerate
	PlacementScore
	PodGroupPostFilter

	// Points is how many there are.
	Points
)

// points says how each point is spelled and where a profile keeps it.
var points = [Points]struct {
	name, field string
	set         func(*configv1.Plugins) *configv1.PluginSet
}{
	PreEnqueue:         {"PreEnqueue", "preEnqueue", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PreEnqueue }},
	QueueSort:          {"QueueSort", "queueSort", func(p *configv1.Plugins) *configv1.PluginSet { return &p.QueueSort }},
	PreFilter:          {"PreFilter", "preFilter", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PreFilter }},
	Filter:             {"Filter", "filter", func(p *configv1.Plugins) *configv1.PluginSet { return &p.Filter }},
	PostFilter:         {"PostFilter", "postFilter", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PostFilter }},
	PreScore:           {"PreScore", "preScore", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PreScore }},
	Score:              {"Score", "score", func(p *configv1.Plugins) *configv1.PluginSet { return &p.Score }},
	Reserve:            {"Reserve", "reserve", func(p *configv1.Plugins) *configv1.PluginSet { return &p.Reserve }},
	Permit:             {"Permit", "permit", func(p *configv1.Plugins) *configv1.PluginSet { return &p.Permit }},
	PreBind:            {"PreBind", "preBind", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PreBind }},
	Bind:               {"Bind", "bind", func(p *configv1.Plugins) *configv1.PluginSet { return &p.Bind }},
	PostBind:           {"PostBind", "postBind", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PostBind }},
	PlacementGenerate:  {"PlacementGenerate", "placementGenerate", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PlacementGenerate }},
	PlacementScore:     {"PlacementScore", "placementScore", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PlacementScore }},
	PodGroupPostFilter: {"PodGroupPostFilter", "podGroupPostFilter", func(p *configv1.Plugins) *configv1.PluginSet { return &p.PodGroupPostFilter }},
}

// String returns the point's name, such as PreFilter.
func (p Point) String() string { return points[p].name }

// Set returns what a profile says about the point.
func (p Point) Set(of *configv1.Plugins) *configv1.PluginSet { return points[p].set(of) }

// sets returns what a profile says about all points, with MultiPoint at the end.
func sets(p *configv1.Plugins) []*configv1.PluginSet {
	all := make([]*configv1.PluginSet, 0, Points+1)
	for at := range Points {
		all = append(all, at.Set(p))
	}
	return append(all, &p.MultiPoint)
}
