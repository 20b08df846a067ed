package plugins

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/plugins/defaultbinder"
	"github.com/berth-scheduler/berth/pkg/plugins/imagelocality"
	"github.com/berth-scheduler/berth/pkg/plugins/interpodaffinity"
	"github.com/berth-scheduler/berth/pkg/plugins/nodeaffinity"
	"github.com/berth-scheduler/berth/pkg/plugins/nodedeclaredfeatures"
	"github.com/berth-scheduler/berth/pkg/plugins/nodename"
	"github.com/berth-scheduler/berth/pkg/plugins/nodeports"
	"github.com/berth-scheduler/berth/pkg/plugins/noderesources"
	"github.com/berth-scheduler/berth/pkg/plugins/nodeunschedulable"
	"github.com/berth-scheduler/berth/pkg/plugins/notbuilt"
	"github.com/berth-scheduler/berth/pkg/plugins/podtopologyspread"
	"github.com/berth-scheduler/berth/pkg/plugins/queuesort"
	"github.com/berth-scheduler/berth/pkg/plugins/schedulinggates"
	"github.com/berth-scheduler/berth/pkg/plugins/tainttoleration"
)

// Options are the gates that change plugins.
type Options struct {
	// TaintComparison lets tolerations compare numbers with Gt and Lt.
	TaintComparison bool
}

// maker makes a plugin from its arguments, which are of its own kind or nil.
type maker func(args runtime.Object, o Options) (framework.Plugin, error)

// registry makes each plugin. A profile gets instances of its own.
var registry = map[string]maker{
	queuesort.Name:            plain(func() framework.Plugin { return queuesort.PrioritySort{} }),
	schedulinggates.Name:      plain(func() framework.Plugin { return schedulinggates.SchedulingGates{} }),
	nodename.Name:             plain(func() framework.Plugin { return &nodename.NodeName{} }),
	nodeports.Name:            plain(func() framework.Plugin { return nodeports.NodePorts{} }),
	imagelocality.Name:        plain(func() framework.Plugin { return imagelocality.ImageLocality{} }),
	nodedeclaredfeatures.Name: plain(func() framework.Plugin { return &nodedeclaredfeatures.NodeDeclaredFeatures{} }),
	defaultbinder.Name:        plain(func() framework.Plugin { return defaultbinder.DefaultBinder{} }),
	nodeunschedulable.Name: func(_ runtime.Object, o Options) (framework.Plugin, error) {
		return &nodeunschedulable.NodeUnschedulable{CompareOperators: o.TaintComparison}, nil
	},
	tainttoleration.Name: func(_ runtime.Object, o Options) (framework.Plugin, error) {
		return &tainttoleration.TaintToleration{CompareOperators: o.TaintComparison}, nil
	},
	nodeaffinity.Name: withArgs(func(a *configv1.NodeAffinityArgs) (framework.Plugin, error) {
		return nodeaffinity.New(a)
	}),
	noderesources.FitName: withArgs(func(a *configv1.NodeResourcesFitArgs) (framework.Plugin, error) {
		if a != nil {
			if err := config.ValidateFit(a); err != nil {
				return nil, err
			}
		}
		return noderesources.NewFit(a)
	}),
	podtopologyspread.Name: func(args runtime.Object, o Options) (framework.Plugin, error) {
		return withArgs(func(a *configv1.PodTopologySpreadArgs) (framework.Plugin, error) {
			spread := podtopologyspread.New(a)
			spread.CompareOperators = o.TaintComparison
			return spread, nil
		})(args, o)
	},
	interpodaffinity.Name: withArgs(func(a *configv1.InterPodAffinityArgs) (framework.Plugin, error) {
		return interpodaffinity.New(a), nil
	}),
	noderesources.BalancedName: withArgs(func(a *configv1.NodeResourcesBalancedAllocationArgs) (framework.Plugin, error) {
		return noderesources.NewBalanced(a), nil
	}),
}

// plain makes a plugin that has no arguments.
func plain(build func() framework.Plugin) maker {
	return func(runtime.Object, Options) (framework.Plugin, error) { return build(), nil }
}

// withArgs makes a plugin from arguments of type A.
func withArgs[A runtime.Object](build func(A) (framework.Plugin, error)) maker {
	return func(args runtime.Object, _ Options) (framework.Plugin, error) {
		if args == nil {
			var none A
			return build(none)
		}
		typed, ok := args.(A)
		if !ok {
			return nil, fmt.Errorf("want args to be of type %T, got %T", typed, args)
		}
		return build(typed)
	}
}

// New makes the plugin called name. args may be nil: then it works as by default. A
// plugin that is not built yet is stood in for by its guard.
func New(name string, args runtime.Object, o Options) (framework.Plugin, error) {
	if build, ok := registry[name]; ok {
		plugin, err := build(args, o)
		if err != nil {
			return nil, fmt.Errorf("initializing plugin %q: %w", name, err)
		}
		return plugin, nil
	}
	if guard, ok := notbuilt.For(name); ok {
		return guard, nil
	}
	if _, known := config.Extends(name); known {
		return nil, fmt.Errorf("plugin %q is enabled, which this version does not have", name)
	}
	return nil, fmt.Errorf("plugin %q does not exist", name)
}
