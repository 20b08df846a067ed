package sim

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// furniture draws what a node has beyond resources and taints.
func (l *line) furniture(n *corev1.Node) {
	for _, image := range n.Status.Images {
		l.word("image", fmt.Sprintf("%s:%d", strings.Join(image.Names, ","), image.SizeBytes))
	}
	l.word("features", strings.Join(n.Status.DeclaredFeatures, ","))
}

// wishes draws what a pod wants of a node beyond resources.
func (l *line) wishes(p *corev1.Pod) {
	if p.Spec.NodeSelector != nil {
		l.word("selects", "{"+mapText(p.Spec.NodeSelector)+"}")
	}
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		if r := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
			l.word("requires", termsText(r.NodeSelectorTerms))
		}
		for _, t := range a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
			l.word("prefers", fmt.Sprintf("%d*%s", t.Weight, termText(&t.Preference)))
		}
	}
	containers := slices.Concat(p.Spec.InitContainers, p.Spec.Containers)
	for i := range p.Spec.EphemeralContainers {
		containers = append(containers, corev1.Container(p.Spec.EphemeralContainers[i].EphemeralContainerCommon))
	}
	for _, c := range containers {
		l.word(c.Name+".image", c.Image)
		for _, port := range c.Ports {
			l.word(c.Name+".port", fmt.Sprintf("%s/%s:%d", port.Protocol, port.HostIP, port.HostPort))
		}
		for _, rule := range c.RestartPolicyRules {
			l.word(c.Name+".rule", rule.Action)
		}
		for _, mount := range c.VolumeMounts {
			l.word(c.Name+".mount", mount.BindMountOptions)
		}
	}
	for _, v := range p.Spec.Volumes {
		if v.Image != nil {
			l.word("volume", v.Image.Reference)
		}
	}
	if p.Spec.HostUsers != nil {
		l.word("hostusers", *p.Spec.HostUsers)
	}
}

func termsText(terms []corev1.NodeSelectorTerm) string {
	texts := make([]string, len(terms))
	for i := range terms {
		texts[i] = termText(&terms[i])
	}
	return "(" + strings.Join(texts, "|") + ")"
}

func termText(t *corev1.NodeSelectorTerm) string {
	var parts []string
	for _, r := range t.MatchExpressions {
		parts = append(parts, fmt.Sprintf("%s %s %q", r.Key, r.Operator, r.Values))
	}
	for _, r := range t.MatchFields {
		parts = append(parts, fmt.Sprintf("field %s %s %q", r.Key, r.Operator, r.Values))
	}
	return "(" + strings.Join(parts, "&") + ")"
}
