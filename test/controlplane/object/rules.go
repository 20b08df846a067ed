package object

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// relate adds an affinity term to a pod.
func relate(pod *corev1.Pod, verb string, args []string) {
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &corev1.Affinity{}
	}
	a := pod.Spec.Affinity
	if a.PodAffinity == nil && (verb == "near" || verb == "likes") {
		a.PodAffinity = &corev1.PodAffinity{}
	}
	if a.PodAntiAffinity == nil && (verb == "far" || verb == "dislikes") {
		a.PodAntiAffinity = &corev1.PodAntiAffinity{}
	}
	weighted := func(list *[]corev1.WeightedPodAffinityTerm) {
		*list = append(*list, corev1.WeightedPodAffinityTerm{Weight: number(args[0]), PodAffinityTerm: term(args[1:])})
	}
	required := func(list *[]corev1.PodAffinityTerm) { *list = append(*list, term(args)) }
	switch verb {
	case "near":
		required(&a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	case "far":
		required(&a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	case "likes":
		weighted(&a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	case "dislikes":
		weighted(&a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func term(args []string) corev1.PodAffinityTerm {
	t := corev1.PodAffinityTerm{TopologyKey: longKey(args[0])}
	for _, word := range args[1:] {
		if names, ok := strings.CutPrefix(word, "ns="); ok {
			t.Namespaces = strings.Split(names, ",")
		} else if selector, ok := strings.CutPrefix(word, "nsel:"); ok {
			ask(&t.NamespaceSelector, selector)
		} else {
			ask(&t.LabelSelector, word)
		}
	}
	return t
}

func constraint(verb string, args []string) corev1.TopologySpreadConstraint {
	c := corev1.TopologySpreadConstraint{MaxSkew: number(args[0]), TopologyKey: longKey(args[1]), WhenUnsatisfiable: corev1.DoNotSchedule}
	if verb == "soft" {
		c.WhenUnsatisfiable = corev1.ScheduleAnyway
	}
	for _, word := range args[2:] {
		key, value, _ := strings.Cut(word, "=")
		policy := corev1.NodeInclusionPolicy(value)
		switch key {
		case "min":
			n := number(value)
			c.MinDomains = &n
		case "affinity":
			c.NodeAffinityPolicy = &policy
		case "taints":
			c.NodeTaintsPolicy = &policy
		case "keys":
			c.MatchLabelKeys = strings.Split(value, ",")
		default:
			ask(&c.LabelSelector, word)
		}
	}
	return c
}

// ask adds what a word asks for to a selector.
func ask(s **metav1.LabelSelector, word string) {
	if *s == nil {
		*s = &metav1.LabelSelector{}
	}
	if word == "all" {
		return
	}
	if key, value, ok := strings.Cut(word, "="); ok && !strings.HasSuffix(key, "!") && !strings.Contains(value, ",") {
		set(&(*s).MatchLabels, key, value)
		return
	}
	(*s).MatchExpressions = append((*s).MatchExpressions, expression(word))
}

func expression(word string) metav1.LabelSelectorRequirement {
	key, values, valued := strings.Cut(word, "=")
	r := metav1.LabelSelectorRequirement{Key: strings.Trim(key, "!"), Operator: metav1.LabelSelectorOpExists}
	not := strings.Contains(key, "!")
	switch {
	case valued && not:
		r.Operator = metav1.LabelSelectorOpNotIn
	case valued:
		r.Operator = metav1.LabelSelectorOpIn
	case not:
		r.Operator = metav1.LabelSelectorOpDoesNotExist
	}
	if valued {
		r.Values = strings.Split(values, ",")
	}
	return r
}
