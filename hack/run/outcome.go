package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// outcome is what has become of a pod.
type outcome string

const (
	pending outcome = "pending" // nothing is decided
	gated   outcome = "gated"   // nobody may decide yet
	refused outcome = "refused" // it fits nowhere
	failed  outcome = "failed"  // the scheduler could not find out
	bound   outcome = "bound"
)

// decision is what the API server tells about the scheduling of a pod.
type decision struct {
	outcome outcome
	node    string // of a bound pod
	why     string // not
}

// decisionOf reads a pod.
func decisionOf(pod *corev1.Pod) decision {
	if pod.Spec.NodeName != "" {
		return decision{outcome: bound, node: pod.Spec.NodeName}
	}
	for _, c := range pod.Status.Conditions {
		if c.Type != corev1.PodScheduled || c.Status == corev1.ConditionTrue {
			continue
		}
		switch c.Reason {
		case corev1.PodReasonSchedulingGated:
			if isGated(pod) { // else the gate was opened, and the condition is of before
				return decision{outcome: gated, why: gateNames(pod)}
			}
		case corev1.PodReasonUnschedulable:
			return decision{outcome: refused, why: c.Message}
		default:
			return decision{outcome: failed, why: c.Reason + ": " + c.Message}
		}
	}
	return decision{outcome: pending}
}

// String says it in words.
func (d decision) String() string {
	switch d.outcome {
	case bound:
		return "→ " + d.node
	case gated:
		return "waits for its gate " + d.why
	case refused:
		return "stays pending: " + d.why
	case failed:
		return "stays pending, " + d.why
	}
	return "is pending"
}

func gateNames(pod *corev1.Pod) string {
	names := make([]string, 0, len(pod.Spec.SchedulingGates))
	for _, gate := range pod.Spec.SchedulingGates {
		names = append(names, gate.Name)
	}
	return strings.Join(names, ", ")
}

// nameOf leaves out the namespace that everyone is in.
func nameOf(pod *corev1.Pod) string {
	if pod.Namespace == metav1.NamespaceDefault {
		return pod.Name
	}
	return fmt.Sprintf("%s/%s", pod.Namespace, pod.Name)
}
