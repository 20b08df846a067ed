package object

import corev1 "k8s.io/api/core/v1"

// Namespace is where the pod lives.
func Namespace(name string) PodFunc {
	return func(pod *corev1.Pod) { pod.Namespace = name }
}

// OnNode is a pod that is bound from the start.
func OnNode(name string) PodFunc {
	return func(pod *corev1.Pod) { pod.Spec.NodeName = name }
}

// SchedulerName is who schedules the pod.
func SchedulerName(name string) PodFunc {
	return func(pod *corev1.Pod) { pod.Spec.SchedulerName = name }
}

// Priority is the pod's priority class, see PriorityClasses.
func Priority(class string) PodFunc {
	return func(pod *corev1.Pod) { pod.Spec.PriorityClassName = class }
}

// Tolerate tolerates one taint. An empty value tolerates all values of the key, an empty effect all effects.
func Tolerate(key, value string, effect corev1.TaintEffect) PodFunc {
	operator := corev1.TolerationOpEqual
	if value == "" {
		operator = corev1.TolerationOpExists
	}
	toleration := corev1.Toleration{Key: key, Operator: operator, Value: value, Effect: effect}
	return func(pod *corev1.Pod) { pod.Spec.Tolerations = append(pod.Spec.Tolerations, toleration) }
}

// NodeSelector asks for a node label.
func NodeSelector(key, value string) PodFunc {
	return func(pod *corev1.Pod) { set(&pod.Spec.NodeSelector, key, value) }
}

// Gate is a scheduling gate.
func Gate(name string) PodFunc {
	return func(pod *corev1.Pod) {
		pod.Spec.SchedulingGates = append(pod.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: name})
	}
}

// Grace is terminationGracePeriodSeconds.
func Grace(seconds int64) PodFunc {
	return func(pod *corev1.Pod) { pod.Spec.TerminationGracePeriodSeconds = &seconds }
}

// HostPort is a port of the node that the pod's container wants on all addresses.
func HostPort(number int32, protocol corev1.Protocol) PodFunc {
	want := corev1.ContainerPort{ContainerPort: number, HostPort: number, Protocol: protocol}
	return func(pod *corev1.Pod) {
		container := &pod.Spec.Containers[0]
		container.Ports = append(container.Ports, want)
	}
}
