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

// Term is a required term of pod affinity or anti-affinity.
type Term struct {
	Key string            `json:"key"`
	Sel map[string]string `json:"sel"`
	NS  []string          `json:"ns"`
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
	if t.ReqAff != nil {
		affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: t.ReqAff.terms()}
	}
	if t.ReqAnti != nil {
		affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: t.ReqAnti.terms()}
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

func (t *Term) terms() []corev1.PodAffinityTerm {
	return []corev1.PodAffinityTerm{{LabelSelector: selecting(t.Sel), TopologyKey: topologyKey(t.Key), Namespaces: t.NS}}
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
