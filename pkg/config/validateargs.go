package config

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
)

func validatePreemption(path *field.Path, a *configv1.DefaultPreemptionArgs, _ *features.Gates) (errs field.ErrorList) {
	share, least := path.Child("minCandidateNodesPercentage"), path.Child("minCandidateNodesAbsolute")
	errs = append(errs, validateRange(share, *a.MinCandidateNodesPercentage)...)
	if *a.MinCandidateNodesAbsolute < 0 {
		errs = append(errs, field.Invalid(least, *a.MinCandidateNodesAbsolute, "not in valid range [0, inf)"))
	}
	if *a.MinCandidateNodesPercentage == 0 && *a.MinCandidateNodesAbsolute == 0 {
		errs = append(errs,
			field.Invalid(share, 0, "cannot be zero at the same time as minCandidateNodesAbsolute"),
			field.Invalid(least, 0, "cannot be zero at the same time as minCandidateNodesPercentage"))
	}
	return errs
}

// validateRange checks a number from 0 to 100.
func validateRange(path *field.Path, n int32) field.ErrorList {
	if n < 0 || n > 100 {
		return field.ErrorList{field.Invalid(path, n, "not in valid range [0, 100]")}
	}
	return nil
}

func validateDevices(path *field.Path, a *configv1.DynamicResourcesArgs, g *features.Gates) (errs field.ErrorList) {
	if t := a.FilterTimeout; t != nil {
		filter := path.Child("filterTimeout")
		if !g.Enabled(features.DRASchedulerFilterTimeout) {
			errs = append(errs, field.Forbidden(filter, "DRASchedulingFilterTimeout feature gate is disabled"))
		} else if t.Duration < 0 {
			errs = append(errs, field.Invalid(filter, *t, "must be zero or positive"))
		}
	}
	if t := a.BindingTimeout; t != nil {
		binding := path.Child("bindingTimeout")
		if !bindingConditions(g) {
			errs = append(errs, field.Forbidden(binding, "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled"))
		} else if t.Duration < time.Second {
			errs = append(errs, field.Invalid(binding, *t, "must be at least 1 second"))
		}
	}
	return errs
}

func validatePodAffinity(path *field.Path, a *configv1.InterPodAffinityArgs, _ *features.Gates) field.ErrorList {
	return validateRange(path.Child("hardPodAffinityWeight"), *a.HardPodAffinityWeight)
}

func validateNodeAffinity(path *field.Path, a *configv1.NodeAffinityArgs, _ *features.Gates) (errs field.ErrorList) {
	if a.AddedAffinity == nil {
		return nil
	}
	path = path.Child("addedAffinity")
	if required := a.AddedAffinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		_, err := nodeaffinity.NewNodeSelector(required, field.WithPath(path.Child("requiredDuringSchedulingIgnoredDuringExecution")))
		errs = append(errs, toFieldErrors(path, err)...)
	}
	_, err := nodeaffinity.NewPreferredSchedulingTerms(a.AddedAffinity.PreferredDuringSchedulingIgnoredDuringExecution,
		field.WithPath(path.Child("preferredDuringSchedulingIgnoredDuringExecution")))
	return append(errs, toFieldErrors(path, err)...)
}

func validateBalanced(path *field.Path, a *configv1.NodeResourcesBalancedAllocationArgs, _ *features.Gates) (errs field.ErrorList) {
	seen := map[string]bool{}
	for i, r := range a.Resources {
		at := path.Child("resources").Index(i)
		if seen[r.Name] {
			errs = append(errs, field.Duplicate(at.Child("name"), r.Name))
		}
		seen[r.Name] = true
		if r.Weight != 1 {
			errs = append(errs, field.Invalid(at.Child("weight"), r.Weight, "must be 1"))
		}
	}
	return errs
}

func validateSpread(path *field.Path, a *configv1.PodTopologySpreadArgs, _ *features.Gates) (errs field.ErrorList) {
	kind := path.Child("defaultingType")
	switch {
	case a.DefaultingType != configv1.SystemDefaulting && a.DefaultingType != configv1.ListDefaulting:
		errs = append(errs, field.NotSupported(kind, a.DefaultingType,
			[]configv1.PodTopologySpreadConstraintsDefaulting{configv1.SystemDefaulting, configv1.ListDefaulting}))
	case a.DefaultingType == configv1.SystemDefaulting && len(a.DefaultConstraints) > 0:
		errs = append(errs, field.Invalid(kind, a.DefaultingType, "when .defaultConstraints are not empty"))
	}
	seen := map[string]bool{}
	for i := range a.DefaultConstraints {
		errs = append(errs, validateConstraint(path.Child("defaultConstraints").Index(i), &a.DefaultConstraints[i], seen)...)
	}
	return errs
}

// validateConstraint checks one default constraint. seen holds those before it.
func validateConstraint(path *field.Path, c *corev1.TopologySpreadConstraint, seen map[string]bool) (errs field.ErrorList) {
	if c.MaxSkew <= 0 {
		errs = append(errs, field.Invalid(path.Child("maxSkew"), c.MaxSkew, "not in valid range (0, inf)"))
	}
	if c.TopologyKey == "" {
		errs = append(errs, field.Required(path.Child("topologyKey"), "can not be empty"))
	} else {
		errs = append(errs, metav1validation.ValidateLabelName(c.TopologyKey, path.Child("topologyKey"))...)
	}
	action := path.Child("whenUnsatisfiable")
	switch c.WhenUnsatisfiable {
	case corev1.DoNotSchedule, corev1.ScheduleAnyway:
	case "":
		errs = append(errs, field.Required(action, "can not be empty"))
	default:
		errs = append(errs, field.NotSupported(action, c.WhenUnsatisfiable,
			[]corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule, corev1.ScheduleAnyway}))
	}
	if c.LabelSelector != nil {
		errs = append(errs, field.Forbidden(path.Child("labelSelector"), "constraint must not define a selector, as they deduced for each pod"))
	}
	key := fmt.Sprintf("{%v, %v}", c.TopologyKey, c.WhenUnsatisfiable)
	if seen[key] {
		errs = append(errs, field.Duplicate(path, key))
	}
	seen[key] = true
	return errs
}

func validateVolumes(path *field.Path, a *configv1.VolumeBindingArgs, g *features.Gates) (errs field.ErrorList) {
	if *a.BindTimeoutSeconds < 0 {
		errs = append(errs, field.Invalid(path.Child("bindTimeoutSeconds"), *a.BindTimeoutSeconds,
			"invalid BindTimeoutSeconds, should not be a negative value"))
	}
	shape := path.Child("shape")
	switch {
	case g.Enabled(features.StorageCapacityScoring):
		errs = append(errs, validateShape(shape, a.Shape)...)
	case a.Shape != nil:
		errs = append(errs, field.Invalid(shape, printedShape(a.Shape),
			"unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"))
	}
	return errs
}
