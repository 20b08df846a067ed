package podtopologyspread

import (
	"encoding/json"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Fragment is all that constraints, own and default ones, and what they select go by.
func (*PodTopologySpread) Fragment(p *podspec.Pod) string {
	spec := &p.API.Spec
	key, err := json.Marshal([]any{p.Kind, p.Controller, spec.TopologySpreadConstraints, spec.NodeSelector, spec.Affinity, p.Tolerations})
	if err != nil {
		panic("BUG: podtopologyspread: a part of a pod cannot be encoded: " + err.Error())
	}
	return string(key)
}

// Scope is any change: each pod that comes or goes may change the skew.
func (*PodTopologySpread) Scope() framework.Scope { return framework.UntilChange }
