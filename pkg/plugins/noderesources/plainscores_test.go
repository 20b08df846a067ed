package noderesources

import (
	"math"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/test/sim"
)

// spec is a resource that scores count, as arguments have it.
func spec(name string, weight int64) configv1.ResourceSpec {
	return configv1.ResourceSpec{Name: name, Weight: weight}
}

// strategyOf is Fit with a strategy. A shape makes it RequestedToCapacityRatio.
func strategyOf(kind configv1.ScoringStrategyType, shape []configv1.UtilizationShapePoint, resources ...configv1.ResourceSpec) *Fit {
	strategy := &configv1.ScoringStrategy{Type: kind, Resources: resources}
	if shape != nil {
		strategy.RequestedToCapacityRatio = &configv1.RequestedToCapacityRatioParam{Shape: shape}
	}
	fit, err := NewFit(&configv1.NodeResourcesFitArgs{ScoringStrategy: strategy})
	if err != nil {
		panic(err)
	}
	return fit
}

// plainUse is what a node offers of a resource, and what would be used of it. A resource
// that the node does not offer does not count, nor does a scalar that the pod does not
// ask for.
func plainUse(name corev1.ResourceName, node *corev1.Node, pods []corev1.ResourceList, pod corev1.ResourceList) (offered, used *big.Int, counts bool) {
	offered, used = plainAmount(name, node.Status.Allocatable), plainAmount(name, pod)
	counts = offered.Sign() > 0 && (used.Sign() > 0 || !plainScalar(string(name)))
	return offered, new(big.Int).Add(used, plainSum(name, pods)), counts
}

// plainScoring is what a waiting pod counts in scores of Fit: its containers, with
// defaults.
func plainScoring(pod *corev1.Pod) corev1.ResourceList {
	return helpers.PodRequests(pod, helpers.PodResourcesOptions{SkipPodLevelResources: true, NonMissingContainerRequests: plainDefaults()})
}

func plainScoredAll(pods []*corev1.Pod) []corev1.ResourceList {
	var lists []corev1.ResourceList
	for _, p := range pods {
		lists = append(lists, plainScored(p))
	}
	return lists
}

// plainPercent is the part of what is offered that would be used, in percent.
func plainPercent(offered, used *big.Int) int64 {
	if used.Cmp(offered) > 0 {
		used = offered
	}
	share := new(big.Int).Mul(used, big.NewInt(100))
	return share.Div(share, offered).Int64()
}

// plainMostAllocated is the weighted mean of the percentages that would be used.
func plainMostAllocated(resources ...configv1.ResourceSpec) sim.Rate {
	return func(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) int64 {
		var sum, weights int64
		for _, r := range resources {
			offered, used, counts := plainUse(corev1.ResourceName(r.Name), node, plainScoredAll(pods), plainScoring(pod))
			if counts {
				sum, weights = sum+r.Weight*plainPercent(offered, used), weights+r.Weight
			}
		}
		if weights == 0 {
			return 0
		}
		return sum / weights
	}
}

// plainCapacityRatio is the rounded weighted mean of what a line through points gives to
// the percentages. What gets nothing does not count in the mean.
func plainCapacityRatio(shape []configv1.UtilizationShapePoint, resources ...configv1.ResourceSpec) sim.Rate {
	return func(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) int64 {
		var sum, weights int64
		for _, r := range resources {
			offered, used, counts := plainUse(corev1.ResourceName(r.Name), node, plainScoredAll(pods), plainScoring(pod))
			if !counts {
				continue
			}
			if score := plainLine(shape, plainPercent(offered, used)); score > 0 {
				sum, weights = sum+r.Weight*score, weights+r.Weight
			}
		}
		if weights == 0 {
			return 0
		}
		return int64(math.Floor(float64(sum)/float64(weights) + 0.5)) // neither is negative
	}
}

// plainLine follows the line from its right end. Steps are cut towards zero.
func plainLine(shape []configv1.UtilizationShapePoint, u int64) int64 {
	for i := len(shape) - 1; i >= 0; i-- {
		left, score := int64(shape[i].Utilization), int64(shape[i].Score)*10
		if u < left {
			continue
		}
		if i == len(shape)-1 {
			return score
		}
		right, next := int64(shape[i+1].Utilization), int64(shape[i+1].Score)*10
		return score + (next-score)*(u-left)/(right-left)
	}
	return int64(shape[0].Score) * 10
}

// plainBalance is how much more evenly the resources would be used with the pod than
// without it: 50 for the same, and half of what evenness gains or loses. The pod counts as
// it would on the node.
func plainBalance(resources ...configv1.ResourceSpec) sim.Rate {
	return func(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) int64 {
		asked := helpers.PodRequests(pod, onNode)
		var with, without []float64
		for _, r := range resources {
			name := corev1.ResourceName(r.Name)
			if offered, used, counts := plainUse(name, node, plainUsed(pods), asked); counts {
				with = append(with, plainShare(used, offered))
				without = append(without, plainShare(plainSum(name, plainUsed(pods)), offered))
			}
		}
		return 50 + (50+plainEvenness(with)-plainEvenness(without))/2
	}
}

func plainShare(used, offered *big.Int) float64 {
	if used.Cmp(offered) >= 0 {
		return 1
	}
	return float64(used.Int64()) / float64(offered.Int64())
}

// plainEvenness is 100 less the standard deviation in percent, cut.
func plainEvenness(shares []float64) int64 {
	var mean, deviation float64
	switch len(shares) {
	case 0, 1:
	case 2:
		deviation = math.Abs(shares[0]-shares[1]) / 2
	default:
		var sum, squares float64
		for _, s := range shares {
			sum += s
		}
		mean = sum / float64(len(shares))
		for _, s := range shares {
			squares += (s - mean) * (s - mean)
		}
		deviation = math.Sqrt(squares / float64(len(shares)))
	}
	return int64((1 - deviation) * 100)
}
