package workload

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Spread is a topology spread constraint.
type Spread struct {
	Key     string                               `json:"key"`
	MaxSkew int32                                `json:"maxSkew"`
	When    corev1.UnsatisfiableConstraintAction `json:"when"`
	Sel     map[string]string                    `json:"sel"`
}

// Term is a term of pod affinity or anti-affinity.
type Term struct {
	Key    string            `json:"key"`
	Sel    map[string]string `json:"sel"`
	NS     []string          `json:"ns"`
	NSSel  map[string]string `json:"nsSel"` // labels of namespaces
	Weight int32             `json:"w"`     // of a preferred term
}

// setRules writes where the pod may go.
func (t PodType) setRules(spec *corev1.PodSpec) error {
	affinity := &corev1.Affinity{}
	if len(t.RequiredNode) > 0 {
		selector, err := nodeSelector(t.RequiredNode)
		if err != nil {
			return err
		}
		affinity.NodeAffinity = &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: selector}
	}
	if t.ReqAff != nil || t.PrefAff != nil {
		affinity.PodAffinity = &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  t.ReqAff.terms(),
			PreferredDuringSchedulingIgnoredDuringExecution: t.PrefAff.weighted(),
		}
	}
	if t.ReqAnti != nil || t.PrefAnti != nil {
		affinity.PodAntiAffinity = &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  t.ReqAnti.terms(),
			PreferredDuringSchedulingIgnoredDuringExecution: t.PrefAnti.weighted(),
		}
	}
	if *affinity != (corev1.Affinity{}) {
		spec.Affinity = affinity
	}
	if s := t.Spread; s != nil {
		spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: s.MaxSkew, TopologyKey: topologyKey(s.Key), WhenUnsatisfiable: s.When, LabelSelector: selecting(s.Sel),
		}}
	}
	return nil
}

// required is "In [a, b]".
var required = regexp.MustCompile(`^(In|NotIn) \[([^\]]+)\]$`)

// nodeSelector makes terms, of which one has to match; inside a term all labels have to.
func nodeSelector(terms []map[string]string) (*corev1.NodeSelector, error) {
	selector := &corev1.NodeSelector{}
	for _, labels := range terms {
		term := corev1.NodeSelectorTerm{}
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			parts := required.FindStringSubmatch(labels[key])
			if parts == nil {
				return nil, fmt.Errorf("node label %s: want \"In [a, b]\" or \"NotIn [a, b]\", got %q", key, labels[key])
			}
			term.MatchExpressions = append(term.MatchExpressions, corev1.NodeSelectorRequirement{
				Key: key, Operator: corev1.NodeSelectorOperator(parts[1]), Values: strings.Split(parts[2], ", "),
			})
		}
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, term)
	}
	return selector, nil
}

// terms returns a list of the term, none of nil.
func (t *Term) terms() []corev1.PodAffinityTerm {
	if t == nil {
		return nil
	}
	term := corev1.PodAffinityTerm{LabelSelector: selecting(t.Sel), TopologyKey: topologyKey(t.Key), Namespaces: t.NS}
	if t.NSSel != nil {
		term.NamespaceSelector = selecting(t.NSSel)
	}
	return []corev1.PodAffinityTerm{term}
}

func (t *Term) weighted() []corev1.WeightedPodAffinityTerm {
	var list []corev1.WeightedPodAffinityTerm
	for _, term := range t.terms() {
		list = append(list, corev1.WeightedPodAffinityTerm{Weight: t.Weight, PodAffinityTerm: term})
	}
	return list
}

func selecting(labels map[string]string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: labels}
}

// topologyKey writes out the short keys.
func topologyKey(key string) string {
	switch key {
	case "zone":
		return corev1.LabelTopologyZone
	case "hostname":
		return corev1.LabelHostname
	}
	return key
}
