package podspec

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	fwk "k8s.io/kube-scheduler/framework"
)

// Affinity is what a pod wants to be near to and far from.
type Affinity struct {
	Required []Term    // must hold; one pod has to match all of them
	Partners Selection // the pods that do; without Required it is not set

	Anti     []Term      // no pod that matches one may be near
	Blockers []Selection // by Anti, the pods that match it

	Preferred []WeightedTerm

	Err error // why some of it could not be read
}

// compileAffinity returns nil for a pod without any: most pods.
func compileAffinity(p *corev1.Pod) *Affinity {
	a := p.Spec.Affinity
	if a == nil || a.PodAffinity == nil && a.PodAntiAffinity == nil {
		return nil
	}
	out := &Affinity{}
	var errs []error
	note := func(list string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", list, err))
		}
	}
	if near := a.PodAffinity; near != nil {
		note("requiredAffinityTerms", out.require(p, near.RequiredDuringSchedulingIgnoredDuringExecution))
		note("preferredAffinityTerms", out.prefer(p, near.PreferredDuringSchedulingIgnoredDuringExecution, 1))
	}
	if far := a.PodAntiAffinity; far != nil {
		note("requiredAntiAffinityTerms", out.avoid(p, far.RequiredDuringSchedulingIgnoredDuringExecution))
		note("preferredAntiAffinityTerms", out.prefer(p, far.PreferredDuringSchedulingIgnoredDuringExecution, -1))
	}
	out.Err = utilerrors.NewAggregate(errs)
	return out
}

func (a *Affinity) require(p *corev1.Pod, terms []corev1.PodAffinityTerm) error {
	read, err := fwk.GetAffinityTerms(p, terms)
	if err != nil || len(read) == 0 {
		return err
	}
	for _, t := range read {
		a.Required = append(a.Required, newTerm(t))
	}
	a.Partners = selectionOf(true, a.Required...)
	return nil
}

func (a *Affinity) avoid(p *corev1.Pod, terms []corev1.PodAffinityTerm) error {
	read, err := fwk.GetAffinityTerms(p, terms)
	for _, t := range read {
		term := newTerm(t)
		a.Anti = append(a.Anti, term)
		a.Blockers = append(a.Blockers, selectionOf(true, term))
	}
	return err
}

func (a *Affinity) prefer(p *corev1.Pod, terms []corev1.WeightedPodAffinityTerm, sign int64) error {
	read, err := fwk.GetWeightedAffinityTerms(p, terms)
	for _, t := range read {
		term := newTerm(t.AffinityTerm)
		a.Preferred = append(a.Preferred, WeightedTerm{term, sign * int64(t.Weight), selectionOf(true, term)})
	}
	return err
}
