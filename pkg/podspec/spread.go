package podspec

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Spread is how a pod's like is to be spread over topology domains.
type Spread struct {
	Hard []SpreadConstraint // DoNotSchedule
	Soft []SpreadConstraint // ScheduleAnyway

	HardErr, SoftErr error // why they could not be read
}

// SpreadConstraint limits how uneven the domains of a topology key may be.
type SpreadConstraint struct {
	TopologyKey string
	MaxSkew     int32
	MinDomains  int32
	Where       Where    // pods count
	Keys        []string // of labels whose values, as the pod has them, are part of the selector
	Selected

	honorAffinity, honorTaints bool
}

// Selected is the pods that are spread together.
type Selected struct {
	Pods      Selection       // that count
	Selector  labels.Selector // of their labels, as written
	SelfMatch bool            // the pod itself will count
}

// Select returns the pods like p that selector matches. An empty one counts none, though p
// matches it.
func Select(p *Pod, selector labels.Selector) Selected {
	s := Selected{Selector: selector, SelfMatch: selector.Matches(labels.Set(p.API.Labels))}
	if selector.Empty() {
		selector = labels.Nothing()
	}
	s.Pods = labelled(p.Namespace, selector)
	return s
}

// compileSpread returns nil for a pod without constraints of its own. matchLabelKeys of
// theirs may be ignored.
func compileSpread(p *Pod, matchLabelKeys bool) *Spread {
	list := p.API.Spec.TopologySpreadConstraints
	if len(list) == 0 {
		return nil
	}
	s := &Spread{}
	for i := range list {
		c := NewSpreadConstraint(&list[i])
		if matchLabelKeys && list[i].LabelSelector != nil { // nothing stays nothing
			c.Keys = list[i].MatchLabelKeys
		}
		selector, err := spreadSelector(list[i].LabelSelector, c.Keys, p.API.Labels)
		switch {
		case err == nil:
			c.Selected = Select(p, selector)
			s.Add(c, list[i].WhenUnsatisfiable)
		case list[i].WhenUnsatisfiable == corev1.DoNotSchedule:
			s.HardErr = cmp.Or(s.HardErr, err)
		default:
			s.SoftErr = cmp.Or(s.SoftErr, err)
		}
	}
	Locate(p, s.Hard, true)
	Locate(p, s.Soft, true)
	return s
}

// Add files a constraint as a hard or a soft one.
func (s *Spread) Add(c SpreadConstraint, otherwise corev1.UnsatisfiableConstraintAction) {
	if otherwise == corev1.DoNotSchedule {
		s.Hard = append(s.Hard, c)
	} else {
		s.Soft = append(s.Soft, c)
	}
}

// NewSpreadConstraint reads what does not depend on the pod.
func NewSpreadConstraint(c *corev1.TopologySpreadConstraint) SpreadConstraint {
	out := SpreadConstraint{TopologyKey: c.TopologyKey, MaxSkew: c.MaxSkew, MinDomains: 1}
	if c.MinDomains != nil {
		out.MinDomains = *c.MinDomains
	}
	out.honorAffinity = c.NodeAffinityPolicy == nil || *c.NodeAffinityPolicy == corev1.NodeInclusionPolicyHonor
	out.honorTaints = c.NodeTaintsPolicy != nil && *c.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor
	return out
}

// spreadSelector is a constraint's selector and the pod's own values of some keys.
func spreadSelector(of *metav1.LabelSelector, keys []string, own map[string]string) (labels.Selector, error) {
	selector, err := metav1.LabelSelectorAsSelector(of)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		value, has := own[key]
		if !has {
			continue
		}
		same, err := labels.NewRequirement(key, selection.In, []string{value})
		if err != nil {
			return nil, err
		}
		selector = selector.Add(*same)
	}
	return selector, nil
}

// Locate says where the constraints of one list count. If all keys are required, a node
// that lacks one of them counts for none.
func Locate(p *Pod, list []SpreadConstraint, allKeys bool) {
	var keys []string
	for i := range list {
		if allKeys && !slices.Contains(keys, list[i].TopologyKey) {
			keys = append(keys, list[i].TopologyKey)
		}
	}
	if len(keys) < 2 { // a node without the key has no domain anyway
		keys = nil
	}
	for i := range list {
		list[i].Where = NewWhere(p, keys, list[i].honorAffinity, list[i].honorTaints)
	}
}
