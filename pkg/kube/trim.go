package kube

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Trim is an informer's transform. It keeps of objects what decisions, hints and status
// patches read. It changes the object, which must not be shared yet.
func Trim(obj any) (any, error) {
	switch o := obj.(type) {
	case *corev1.Pod:
		trimPod(o)
	case *corev1.Node:
		trimNode(o)
	case *corev1.Namespace:
		*o = corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: o.Name, UID: o.UID, ResourceVersion: o.ResourceVersion, Labels: o.Labels}}
	case *corev1.Service:
		*o = corev1.Service{ObjectMeta: named(o), Spec: corev1.ServiceSpec{Selector: o.Spec.Selector}}
	case *corev1.ReplicationController:
		*o = corev1.ReplicationController{ObjectMeta: named(o), Spec: corev1.ReplicationControllerSpec{Selector: o.Spec.Selector}}
	case *appsv1.ReplicaSet:
		*o = appsv1.ReplicaSet{ObjectMeta: named(o), Spec: appsv1.ReplicaSetSpec{Selector: o.Spec.Selector}}
	case *appsv1.StatefulSet:
		*o = appsv1.StatefulSet{ObjectMeta: named(o), Spec: appsv1.StatefulSetSpec{Selector: o.Spec.Selector}}
	}
	return obj, nil
}

// named is what tells an object from others, and its versions.
func named(o metav1.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion()}
}

func trimPod(p *corev1.Pod) {
	p.ObjectMeta = metav1.ObjectMeta{
		Namespace: p.Namespace, Name: p.Name, UID: p.UID,
		ResourceVersion: p.ResourceVersion, Generation: p.Generation,
		CreationTimestamp: p.CreationTimestamp, DeletionTimestamp: p.DeletionTimestamp,
		Labels: p.Labels, OwnerReferences: controllersOf(p.OwnerReferences),
	}
	s := &p.Spec
	p.Spec = corev1.PodSpec{
		Volumes:                   s.Volumes,
		InitContainers:            trimContainers(s.InitContainers),
		Containers:                trimContainers(s.Containers),
		EphemeralContainers:       trimEphemeral(s.EphemeralContainers),
		NodeSelector:              s.NodeSelector,
		NodeName:                  s.NodeName,
		HostNetwork:               s.HostNetwork,
		HostUsers:                 s.HostUsers,
		Affinity:                  s.Affinity,
		SchedulerName:             s.SchedulerName,
		Tolerations:               s.Tolerations,
		Priority:                  s.Priority,
		PreemptionPolicy:          s.PreemptionPolicy,
		Overhead:                  s.Overhead,
		TopologySpreadConstraints: s.TopologySpreadConstraints,
		SchedulingGates:           s.SchedulingGates,
		ResourceClaims:            s.ResourceClaims,
		Resources:                 s.Resources,
		SchedulingGroup:           s.SchedulingGroup,
	}
	st := &p.Status
	p.Status = corev1.PodStatus{
		Conditions:                           readConditions(st.Conditions),
		NominatedNodeName:                    st.NominatedNodeName,
		StartTime:                            st.StartTime,
		InitContainerStatuses:                trimStatuses(st.InitContainerStatuses),
		ContainerStatuses:                    trimStatuses(st.ContainerStatuses),
		ResourceClaimStatuses:                st.ResourceClaimStatuses,
		ExtendedResourceClaimStatus:          st.ExtendedResourceClaimStatus,
		NodeAllocatableResourceClaimStatuses: st.NodeAllocatableResourceClaimStatuses,
		AllocatedResources:                   st.AllocatedResources,
		Resources:                            st.Resources,
	}
}

// controllersOf keeps the owner that default spreading asks for.
func controllersOf(owners []metav1.OwnerReference) []metav1.OwnerReference {
	return slices.DeleteFunc(owners, func(o metav1.OwnerReference) bool { return o.Controller == nil || !*o.Controller })
}

func trimContainers(list []corev1.Container) []corev1.Container {
	for i := range list {
		c := &list[i]
		*c = corev1.Container{
			Name: c.Name, Image: c.Image, Ports: c.Ports, Resources: c.Resources,
			RestartPolicy: c.RestartPolicy, RestartPolicyRules: c.RestartPolicyRules,
			VolumeMounts: optionMounts(c.VolumeMounts),
		}
	}
	return list
}

// trimEphemeral keeps what tells which features a node must declare.
func trimEphemeral(list []corev1.EphemeralContainer) []corev1.EphemeralContainer {
	for i := range list {
		mounts := optionMounts(list[i].VolumeMounts)
		list[i] = corev1.EphemeralContainer{}
		list[i].VolumeMounts = mounts
	}
	return list
}

func optionMounts(mounts []corev1.VolumeMount) []corev1.VolumeMount {
	return slices.DeleteFunc(mounts, func(m corev1.VolumeMount) bool { return len(m.BindMountOptions) == 0 })
}

func trimStatuses(list []corev1.ContainerStatus) []corev1.ContainerStatus {
	for i := range list {
		s := &list[i]
		*s = corev1.ContainerStatus{Name: s.Name, AllocatedResources: s.AllocatedResources, Resources: s.Resources}
	}
	return list
}

// readConditions keeps the conditions that are input somewhere.
func readConditions(list []corev1.PodCondition) []corev1.PodCondition {
	return slices.DeleteFunc(list, func(c corev1.PodCondition) bool {
		switch c.Type {
		case corev1.PodScheduled, corev1.PodResizePending, corev1.DisruptionTarget:
			return false
		}
		return true
	})
}

func trimNode(n *corev1.Node) {
	n.ObjectMeta = metav1.ObjectMeta{
		Name: n.Name, UID: n.UID, ResourceVersion: n.ResourceVersion, Labels: n.Labels,
	}
	n.Spec = corev1.NodeSpec{
		Unschedulable: n.Spec.Unschedulable, Taints: n.Spec.Taints, PodPreemptionPolicy: n.Spec.PodPreemptionPolicy,
	}
	st := &n.Status
	for i := range st.Conditions {
		st.Conditions[i] = corev1.NodeCondition{Type: st.Conditions[i].Type, Status: st.Conditions[i].Status}
	}
	n.Status = corev1.NodeStatus{
		Allocatable: st.Allocatable, Conditions: st.Conditions, Images: st.Images, DeclaredFeatures: st.DeclaredFeatures,
	}
}
