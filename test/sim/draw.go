package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// line is words that are only there when they say something.
type line struct{ strings.Builder }

func (l *line) word(name string, value any) {
	if text := fmt.Sprint(value); text != "" {
		fmt.Fprintf(l, " %s=%s", name, text)
	}
}

// NodeLine draws what decisions read of a node.
func NodeLine(n *corev1.Node) string {
	var l line
	l.WriteString("node " + n.Name + " " + listText(n.Status.Allocatable))
	if n.Spec.Unschedulable {
		l.WriteString(" cordoned")
	}
	for _, t := range n.Spec.Taints {
		l.word("taint", t.Key+"="+t.Value+":"+string(t.Effect))
	}
	l.word("labels", mapText(n.Labels))
	l.furniture(n)
	return l.String()
}

// PodLine draws what decisions read of a pod.
func PodLine(p *corev1.Pod) string {
	var l line
	l.WriteString("pod " + p.Namespace + "/" + p.Name)
	l.word("on", p.Spec.NodeName)
	l.word("nominated", p.Status.NominatedNodeName)
	if p.Spec.Priority != nil {
		l.word("prio", *p.Spec.Priority)
	}
	if p.DeletionTimestamp != nil {
		l.WriteString(" deleting")
	}
	l.word("labels", mapText(p.Labels))
	for _, t := range p.Spec.Tolerations {
		l.word("tolerates", fmt.Sprintf("%q-%s-%q:%s", t.Key, t.Operator, t.Value, t.Effect))
	}
	l.related(p)
	l.wishes(p)
	for i := range p.Spec.InitContainers {
		c := &p.Spec.InitContainers[i]
		name := c.Name
		if c.RestartPolicy != nil {
			name += "(sidecar)"
		}
		l.word(name, listText(c.Resources.Requests))
	}
	for i := range p.Spec.Containers {
		l.word(p.Spec.Containers[i].Name, listText(p.Spec.Containers[i].Resources.Requests))
	}
	if p.Spec.Resources != nil {
		l.word("pod", listText(p.Spec.Resources.Requests))
	}
	if p.Spec.Overhead != nil {
		l.word("overhead", listText(p.Spec.Overhead))
	}
	l.status(p)
	return l.String()
}

// related draws the rules about other pods as they are written.
func (l *line) related(p *corev1.Pod) {
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		l.word("near", asJSON(a.PodAffinity))
	}
	if a := p.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		l.word("far", asJSON(a.PodAntiAffinity))
	}
	if len(p.Spec.TopologySpreadConstraints) > 0 {
		l.word("spread", asJSON(p.Spec.TopologySpreadConstraints))
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("BUG: sim: a part of a pod cannot be encoded: " + err.Error())
	}
	return string(text)
}

func (l *line) status(p *corev1.Pod) {
	for _, s := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		if s.AllocatedResources != nil {
			l.word(s.Name+".allocated", listText(s.AllocatedResources))
		}
		if s.Resources != nil && s.Resources.Requests != nil {
			l.word(s.Name+".actual", listText(s.Resources.Requests))
		}
	}
	if p.Status.AllocatedResources != nil {
		l.word("pod.allocated", listText(p.Status.AllocatedResources))
	}
	if p.Status.Resources != nil {
		l.word("pod.actual", listText(p.Status.Resources.Requests))
	}
	for _, c := range p.Status.Conditions {
		l.word(string(c.Type), c.Reason)
	}
}

func listText(list corev1.ResourceList) string {
	parts := make([]string, 0, len(list))
	for name, q := range list {
		parts = append(parts, fmt.Sprintf("%s:%s", name, q.String()))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

func mapText(m map[string]string) string {
	parts := make([]string, 0, len(m))
	for k, v := range m {
		parts = append(parts, k+":"+v)
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}
