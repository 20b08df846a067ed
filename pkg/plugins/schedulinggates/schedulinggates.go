// Package schedulinggates keeps a pod out of the active queue while its spec has
// scheduling gates.
package schedulinggates

import (
	"fmt"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Name is the plugin's name in a profile.
const Name = "SchedulingGates"

// SchedulingGates is the PreEnqueue plugin.
type SchedulingGates struct{}

var (
	_ framework.PreEnqueue = SchedulingGates{}
	_ framework.Hinter     = SchedulingGates{}
)

// Name returns the plugin's name.
func (SchedulingGates) Name() string { return Name }

// PreEnqueue gates a pod that has gates left.
func (SchedulingGates) PreEnqueue(p *podspec.Pod) *framework.Rejection {
	if len(p.Gates) == 0 { // most pods
		return nil
	}
	return framework.Reject(fwk.UnschedulableAndUnresolvable, fmt.Sprintf("waiting for scheduling gates: %v", p.Gates))
}

// Hints says that only the removal of the pod's own last gate helps.
func (SchedulingGates) Hints() []framework.Hint {
	return []framework.Hint{{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodSchedulingGatesEliminated}}}
}
