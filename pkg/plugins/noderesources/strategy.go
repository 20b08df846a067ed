package noderesources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// strategy rates rows by what would be used of their resources.
type strategy interface {
	rate(c *framework.Cycle, rows []int32, out []int64)
}

// weighted is a resource that scores count.
type weighted struct {
	name   corev1.ResourceName
	weight int64
}

var cpuAndMemory = []weighted{{corev1.ResourceCPU, 1}, {corev1.ResourceMemory, 1}}

// column returns the number of a resource, false when the cluster has not met it.
func (w weighted) column(c *framework.Cycle) (int32, bool) {
	return c.View.Resources().Known(w.name)
}

// newStrategy makes the strategy that arguments choose. They are taken as validated
// but for what would make no strategy at all.
func newStrategy(s *configv1.ScoringStrategy) (strategy, error) {
	if s == nil {
		return &allocation{resources: cpuAndMemory}, nil
	}
	resources := resourcesOf(s.Resources)
	switch s.Type {
	case configv1.LeastAllocated:
		return &allocation{resources: resources}, nil
	case configv1.MostAllocated:
		return &allocation{resources: resources, most: true}, nil
	case configv1.RequestedToCapacityRatio:
		if s.RequestedToCapacityRatio == nil || len(s.RequestedToCapacityRatio.Shape) == 0 {
			return nil, fmt.Errorf("scoringStrategy.requestedToCapacityRatio.shape: Required value")
		}
		return &capacityRatio{resources: resources, score: table(s.RequestedToCapacityRatio.Shape)}, nil
	}
	return nil, fmt.Errorf("scoringStrategy.type: Unsupported value: %q", s.Type)
}

func resourcesOf(specs []configv1.ResourceSpec) []weighted {
	var list []weighted
	for _, r := range specs {
		list = append(list, weighted{corev1.ResourceName(r.Name), max(1, r.Weight)})
	}
	return list
}

// table draws the line through the points of a shape for each utilization in percent.
// Scores of a shape go to 10, those of plugins to 100.
func table(shape []configv1.UtilizationShapePoint) (score [101]int64) {
	for u := range score {
		score[u] = lineAt(shape, int64(u))
	}
	return score
}

func lineAt(shape []configv1.UtilizationShapePoint, u int64) int64 {
	const scale = 10
	for i, p := range shape {
		if u > int64(p.Utilization) {
			continue
		}
		if i == 0 {
			return int64(p.Score) * scale
		}
		u0, s0 := int64(shape[i-1].Utilization), int64(shape[i-1].Score)*scale
		return s0 + (int64(p.Score)*scale-s0)*(u-u0)/(int64(p.Utilization)-u0)
	}
	return int64(shape[len(shape)-1].Score) * scale
}

// scoredFor returns what a score adds for the pod, and whether the resource counts for
// it at all: a scalar that the pod does not ask for does not.
func scoredFor(p podspec.Vector, col int32) (add int64, counts bool) {
	add = p.Of(col)
	return add, add > 0 || !podspec.IsScalarColumn(col)
}
