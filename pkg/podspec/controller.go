package podspec

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Controller names what made a pod, of the kinds that tell by a selector which pods are
// their own. The zero value names none.
type Controller struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// The kinds of a Controller.
const (
	ReplicationController = "ReplicationController"
	ReplicaSet            = "ReplicaSet"
	StatefulSet           = "StatefulSet"
)

var controllerVersions = map[string]string{
	ReplicationController: corev1.SchemeGroupVersion.String(),
	ReplicaSet:            appsv1.SchemeGroupVersion.String(),
	StatefulSet:           appsv1.SchemeGroupVersion.String(),
}

// controllerOf returns the controller of a pod, if it is of one of the kinds.
func controllerOf(p *corev1.Pod) Controller {
	owner := metav1.GetControllerOfNoCopy(p)
	if owner == nil || owner.APIVersion != controllerVersions[owner.Kind] || owner.APIVersion == "" {
		return Controller{}
	}
	return Controller{Kind: owner.Kind, Namespace: p.Namespace, Name: owner.Name}
}
