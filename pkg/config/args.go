package config

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
)

// kind is the arguments of one plugin.
type kind interface {
	new() runtime.Object
	setDefaults(args runtime.Object, g *features.Gates)
	validate(path *field.Path, args runtime.Object, g *features.Gates) field.ErrorList
}

// kinds are the plugins that have arguments.
var kinds = map[string]kind{
	"DefaultPreemption":               argsOf[configv1.DefaultPreemptionArgs]{defaultPreemption, validatePreemption},
	"DynamicResources":                argsOf[configv1.DynamicResourcesArgs]{defaultDevices, validateDevices},
	"InterPodAffinity":                argsOf[configv1.InterPodAffinityArgs]{defaultPodAffinity, validatePodAffinity},
	"NodeAffinity":                    argsOf[configv1.NodeAffinityArgs]{defaultNodeAffinity, validateNodeAffinity},
	"NodeResourcesBalancedAllocation": argsOf[configv1.NodeResourcesBalancedAllocationArgs]{defaultBalanced, validateBalanced},
	"NodeResourcesFit":                argsOf[configv1.NodeResourcesFitArgs]{defaultFit, validateFitLater},
	"PodTopologySpread":               argsOf[configv1.PodTopologySpreadArgs]{defaultSpread, validateSpread},
	"VolumeBinding":                   argsOf[configv1.VolumeBindingArgs]{defaultVolumes, validateVolumes},
}

// argsOf makes a kind of two funcs on a type.
type argsOf[T any] struct {
	defaults func(*T, *features.Gates)
	check    func(*field.Path, *T, *features.Gates) field.ErrorList
}

func (argsOf[T]) new() runtime.Object { return any(new(T)).(runtime.Object) }

func (k argsOf[T]) setDefaults(args runtime.Object, g *features.Gates) {
	if typed, ok := any(args).(*T); ok {
		k.defaults(typed, g)
	}
}

func (k argsOf[T]) validate(path *field.Path, args runtime.Object, g *features.Gates) field.ErrorList {
	typed, ok := any(args).(*T)
	if !ok {
		return field.ErrorList{field.Invalid(path, args, "has to match plugin args")}
	}
	return k.check(path, typed, g)
}

func defaultPreemption(a *configv1.DefaultPreemptionArgs, _ *features.Gates) {
	setDefault(&a.MinCandidateNodesPercentage, 10)
	setDefault(&a.MinCandidateNodesAbsolute, 100)
}

func defaultDevices(a *configv1.DynamicResourcesArgs, g *features.Gates) {
	if g.Enabled(features.DRASchedulerFilterTimeout) {
		setDefault(&a.FilterTimeout, metav1.Duration{Duration: configv1.DynamicResourcesFilterTimeoutDefault})
	}
	if bindingConditions(g) {
		setDefault(&a.BindingTimeout, metav1.Duration{Duration: configv1.DynamicResourcesBindingTimeoutDefault})
	}
}

func bindingConditions(g *features.Gates) bool {
	return g.Enabled(features.DRADeviceBindingConditions) && g.Enabled(features.DRAResourceClaimDeviceStatus)
}

func defaultPodAffinity(a *configv1.InterPodAffinityArgs, _ *features.Gates) {
	setDefault(&a.HardPodAffinityWeight, 1)
}

func defaultNodeAffinity(*configv1.NodeAffinityArgs, *features.Gates) {}

func defaultBalanced(a *configv1.NodeResourcesBalancedAllocationArgs, _ *features.Gates) {
	a.Resources = defaultResources(a.Resources)
}

func defaultFit(a *configv1.NodeResourcesFitArgs, _ *features.Gates) {
	if a.ScoringStrategy == nil {
		a.ScoringStrategy = &configv1.ScoringStrategy{Type: configv1.LeastAllocated}
	}
	a.ScoringStrategy.Resources = defaultResources(a.ScoringStrategy.Resources)
}

// defaultResources is CPU and memory when nothing is named; each weighs at least 1.
func defaultResources(list []configv1.ResourceSpec) []configv1.ResourceSpec {
	if len(list) == 0 {
		list = []configv1.ResourceSpec{{Name: "cpu"}, {Name: "memory"}}
	}
	for i := range list {
		if list[i].Weight == 0 {
			list[i].Weight = 1
		}
	}
	return list
}

func defaultSpread(a *configv1.PodTopologySpreadArgs, _ *features.Gates) {
	if a.DefaultingType == "" {
		a.DefaultingType = configv1.SystemDefaulting
	}
}

func defaultVolumes(a *configv1.VolumeBindingArgs, g *features.Gates) {
	setDefault(&a.BindTimeoutSeconds, 600)
	if len(a.Shape) == 0 && g.Enabled(features.StorageCapacityScoring) {
		a.Shape = []configv1.UtilizationShapePoint{{Utilization: 0, Score: 10}, {Utilization: 100, Score: 0}}
	}
}
