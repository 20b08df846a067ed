package plugins

import (
	"fmt"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/plugins/defaultbinder"
	"github.com/berth-scheduler/berth/pkg/plugins/nodename"
	"github.com/berth-scheduler/berth/pkg/plugins/noderesources"
	"github.com/berth-scheduler/berth/pkg/plugins/nodeunschedulable"
	"github.com/berth-scheduler/berth/pkg/plugins/notbuilt"
	"github.com/berth-scheduler/berth/pkg/plugins/queuesort"
	"github.com/berth-scheduler/berth/pkg/plugins/schedulinggates"
	"github.com/berth-scheduler/berth/pkg/plugins/tainttoleration"
)

// Options are the gates that change plugins.
type Options struct {
	// TaintComparison lets tolerations compare numbers with Gt and Lt.
	TaintComparison bool
}

// registry makes each plugin. A profile gets instances of its own.
var registry = map[string]func(Options) framework.Plugin{
	queuesort.Name:        func(Options) framework.Plugin { return queuesort.PrioritySort{} },
	schedulinggates.Name:  func(Options) framework.Plugin { return schedulinggates.SchedulingGates{} },
	nodename.Name:         func(Options) framework.Plugin { return &nodename.NodeName{} },
	noderesources.FitName: func(Options) framework.Plugin { return noderesources.NewFit() },
	defaultbinder.Name:    func(Options) framework.Plugin { return defaultbinder.DefaultBinder{} },
	nodeunschedulable.Name: func(o Options) framework.Plugin {
		return &nodeunschedulable.NodeUnschedulable{CompareOperators: o.TaintComparison}
	},
	tainttoleration.Name: func(o Options) framework.Plugin {
		return &tainttoleration.TaintToleration{CompareOperators: o.TaintComparison}
	},
}

// New makes the plugin called name. A plugin that is not built yet is stood in for
// by its guard.
func New(name string, o Options) (framework.Plugin, error) {
	if make, ok := registry[name]; ok {
		return make(o), nil
	}
	if guard, ok := notbuilt.For(name); ok {
		return guard, nil
	}
	return nil, fmt.Errorf("plugin %q does not exist", name)
}
