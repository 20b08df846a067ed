package config

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
)

// validateFitLater finds nothing: see ValidateFit.
func validateFitLater(*field.Path, *configv1.NodeResourcesFitArgs, *features.Gates) field.ErrorList {
	return nil
}

// ValidateFit says what is wrong with the arguments of NodeResourcesFit. The plugin's
// constructor calls it: kube-scheduler reports them there, apart from everything else.
func ValidateFit(a *configv1.NodeResourcesFitArgs) error {
	var errs field.ErrorList
	for i, name := range a.IgnoredResources {
		errs = append(errs, metav1validation.ValidateLabelName(name, field.NewPath("ignoredResources").Index(i))...)
	}
	for i, group := range a.IgnoredResourceGroups {
		at := field.NewPath("ignoredResourceGroups").Index(i)
		if strings.Contains(group, "/") {
			errs = append(errs, field.Invalid(at, group, "resource group name can't contain '/'"))
			continue
		}
		errs = append(errs, metav1validation.ValidateLabelName(group, at)...)
	}
	return append(errs, validateStrategy(field.NewPath("scoringStrategy"), a.ScoringStrategy)...).ToAggregate()
}

func validateStrategy(path *field.Path, s *configv1.ScoringStrategy) (errs field.ErrorList) {
	if s == nil {
		return field.ErrorList{field.Required(path, "")}
	}
	ratio := path.Child("requestedToCapacityRatio")
	switch s.Type {
	case configv1.LeastAllocated, configv1.MostAllocated, configv1.RequestedToCapacityRatio:
	default:
		errs = append(errs, field.NotSupported(path.Child("type"), s.Type,
			[]configv1.ScoringStrategyType{configv1.LeastAllocated, configv1.MostAllocated, configv1.RequestedToCapacityRatio}))
	}
	for i, r := range s.Resources {
		if r.Weight < 1 || r.Weight > 100 {
			errs = append(errs, field.Invalid(path.Child("resources").Index(i).Child("weight"), r.Weight,
				fmt.Sprintf("resource weight of %s not in valid range (0, 100]", r.Name)))
		}
	}
	switch wanted := s.Type == configv1.RequestedToCapacityRatio; {
	case wanted && s.RequestedToCapacityRatio == nil:
		errs = append(errs, field.Required(ratio, "must be specified when type is RequestedToCapacityRatio"))
	case wanted:
		errs = append(errs, validateShape(ratio.Child("shape"), s.RequestedToCapacityRatio.Shape)...)
	case s.RequestedToCapacityRatio != nil:
		errs = append(errs, field.Forbidden(ratio, "must be nil when type is not RequestedToCapacityRatio"))
	}
	return errs
}

// validateShape checks the points of a scoring function.
func validateShape(path *field.Path, shape []configv1.UtilizationShapePoint) (errs field.ErrorList) {
	if len(shape) == 0 {
		return field.ErrorList{field.Required(path, "at least one point must be specified")}
	}
	for i := 1; i < len(shape); i++ {
		if shape[i-1].Utilization >= shape[i].Utilization {
			errs = append(errs, field.Invalid(path.Index(i).Child("utilization"), shape[i].Utilization, "values must be sorted in increasing order"))
			break
		}
	}
	for i, p := range shape {
		errs = append(errs, validateRange(path.Index(i).Child("utilization"), p.Utilization)...)
		if p.Score < 0 || p.Score > 10 {
			errs = append(errs, field.Invalid(path.Index(i).Child("score"), p.Score, "not in valid range [0, 10]"))
		}
	}
	return errs
}

// printedShape is a shape as kube-scheduler prints one in errors.
type printedShape []configv1.UtilizationShapePoint

// MarshalJSON uses the names of Go's fields.
func (s printedShape) MarshalJSON() ([]byte, error) {
	points := make([]struct{ Utilization, Score int32 }, len(s))
	for i, p := range s {
		points[i].Utilization, points[i].Score = p.Utilization, p.Score
	}
	return json.Marshal(points)
}

// toFieldErrors returns the errors that a library found at fields, or puts one at path.
func toFieldErrors(path *field.Path, err error) (errs field.ErrorList) {
	if err == nil {
		return nil
	}
	all := []error{err}
	if many, ok := err.(utilerrors.Aggregate); ok {
		all = many.Errors()
	}
	for _, one := range all {
		if at, ok := one.(*field.Error); ok {
			errs = append(errs, at)
			continue
		}
		errs = append(errs, field.InternalError(path, one))
	}
	return errs
}
