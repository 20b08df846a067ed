package runtime

import (
	"errors"
	"fmt"
	"math"
	"slices"

	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// Table is who runs at each extension point, in order. Weights are set where plugins
// score, and 0 elsewhere.
type Table [config.Points][]config.Plugin

// lookOrder is the order in which points are looked at. It decides which of several
// mistakes is told.
var lookOrder = [config.Points]config.Point{
	config.PreFilter, config.Filter, config.PostFilter, config.Reserve, config.PreScore, config.Score, config.PreBind, config.Bind,
	config.PostBind, config.Permit, config.PreEnqueue, config.QueueSort, config.PlacementGenerate, config.PlacementScore, config.PodGroupPostFilter,
}

// expand settles who runs at each point of a profile:
//
//  1. Who is enabled at the point itself must exist and extend it.
//  2. Who is enabled in MultiPoint runs at the point too if he extends it, unless the
//     point disables him, or all, or names him itself: then that counts.
//  3. First come those whom the point names in place of MultiPoint, in the point's order,
//     then the rest of MultiPoint, then those that only the point names.
func (p *Profile) expand() (t Table, err error) {
	for _, at := range lookOrder {
		if err := p.checkNamed(at); err != nil {
			return t, err
		}
	}
	for _, at := range lookOrder {
		rest, err := p.fromMultiPoint(at)
		if err != nil {
			return t, err
		}
		var instead, only []string
		for _, e := range at.Set(p.Plugins).Enabled {
			if p.takes(at, e.Name) {
				instead = append(instead, e.Name)
			} else {
				only = append(only, e.Name)
			}
		}
		for _, name := range slices.Concat(instead, rest, only) {
			t[at] = append(t[at], config.Plugin{Name: name})
		}
	}
	for _, at := range []config.Point{config.Score, config.PlacementScore} {
		if err := p.weigh(at, t[at]); err != nil {
			return t, err
		}
	}
	return t, nil
}

// takes tells whether a point takes a plugin from MultiPoint.
func (p *Profile) takes(at config.Point, name string) bool {
	disabled := at.Set(p.Plugins).Disabled
	return slices.ContainsFunc(p.Plugins.MultiPoint.Enabled, called(name)) &&
		!slices.ContainsFunc(disabled, called(name)) && !slices.ContainsFunc(disabled, called(everyone))
}

// checkNamed checks those that a point names itself.
func (p *Profile) checkNamed(at config.Point) error {
	list := at.Set(p.Plugins).Enabled
	for i, e := range list {
		plugin, ok := p.Made[e.Name]
		switch {
		case !ok:
			return fmt.Errorf("%vPlugin %q does not exist", at, e.Name)
		case !extends(plugin, at):
			return fmt.Errorf("plugin %q does not extend %vPlugin plugin", e.Name, at)
		case slices.ContainsFunc(list[:i], called(e.Name)):
			return alreadyThere(e.Name, at)
		}
	}
	return nil
}

func alreadyThere(name string, at config.Point) error {
	return fmt.Errorf("plugin %q already registered as \"%vPlugin\"", name, at)
}

// fromMultiPoint returns those that run at a point only because MultiPoint names them.
func (p *Profile) fromMultiPoint(at config.Point) (names []string, err error) {
	set := at.Set(p.Plugins)
	if slices.ContainsFunc(set.Disabled, called(everyone)) {
		return nil, nil
	}
	for _, e := range p.Plugins.MultiPoint.Enabled {
		plugin, ok := p.Made[e.Name]
		switch {
		case !ok:
			return nil, fmt.Errorf("%vPlugin %q does not exist", at, e.Name)
		case !extends(plugin, at), !p.takes(at, e.Name), slices.ContainsFunc(set.Enabled, called(e.Name)):
		case slices.Contains(names, e.Name):
			return nil, alreadyThere(e.Name, at)
		default:
			names = append(names, e.Name)
		}
	}
	return names, nil
}

// everyone in a list of disabled plugins stands for all that MultiPoint names.
const everyone = "*"

func called(name string) func(configv1.Plugin) bool {
	return func(p configv1.Plugin) bool { return p.Name == name }
}

// weigh sets the weights of those who score at a point: the point's own word counts,
// then MultiPoint's. Who has none weighs 1. A weight counts as wrong even where its
// plugin does not run.
func (p *Profile) weigh(at config.Point, scorers []config.Plugin) error {
	weights := map[string]int64{}
	var total int64
	for _, e := range slices.Concat(at.Set(p.Plugins).Enabled, p.Plugins.MultiPoint.Enabled) {
		if _, seen := weights[e.Name]; seen || p.Made[e.Name] == nil || !extends(p.Made[e.Name], at) {
			continue
		}
		w := int64(ptr.Deref(e.Weight, 0))
		if w == 0 {
			w = 1
		}
		if at == config.Score && (w < 0 || total > math.MaxInt64-w*maxScore) {
			return errors.New("score plugins: total score of Score plugins could overflow")
		}
		weights[e.Name] = w
		total += w * maxScore
	}
	for i := range scorers {
		scorers[i].Weight = weights[scorers[i].Name]
	}
	return nil
}

// extends tells whether a plugin extends a point. What an in-tree plugin extends is
// known by its name, as ours may do the same with fewer points or others. Any other is
// known by what it implements.
func extends(plugin framework.Plugin, at config.Point) bool {
	if points, inTree := config.Extends(plugin.Name()); inTree {
		return slices.Contains(points, at)
	}
	return implements(plugin, at)
}

// implements tells whether a plugin has what our chain runs at a point.
func implements(plugin framework.Plugin, at config.Point) (ok bool) {
	switch at {
	case config.PreEnqueue:
		_, ok = plugin.(framework.PreEnqueue)
	case config.QueueSort:
		_, ok = plugin.(framework.QueueSort)
	case config.PreFilter:
		_, ok = plugin.(framework.PreFilter)
	case config.Filter:
		_, ok = plugin.(framework.Filter)
	case config.PostFilter:
		_, ok = plugin.(framework.PostFilter)
	case config.PreScore:
		_, ok = plugin.(framework.PreScorer)
	case config.Score:
		_, ok = plugin.(framework.Scorer)
	case config.Reserve:
		_, ok = plugin.(framework.Reserver)
	case config.Permit:
		_, ok = plugin.(framework.Permitter)
	case config.Bind:
		_, ok = plugin.(framework.Binder)
	}
	return ok
}
