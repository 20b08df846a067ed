package kube

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// What says which pods belong together: labels of namespaces, services, and controllers.
// With hard default spread constraints it decides where pods may go, so a leader that
// takes over catches up with all of it: one list of each kind, beside those of the pods.

// relations returns the kinds of it.
func (w *Watch) relations(client kubernetes.Interface) []*kind {
	core, apps := w.factory.Core().V1(), w.factory.Apps().V1()
	coreClient, appsClient := client.CoreV1(), client.AppsV1()
	return []*kind{
		{
			name: "namespaces", informer: core.Namespaces().Informer(), calls: callsOf(coreClient.Namespaces()),
			inputs: inputsOf(
				func(n *corev1.Namespace) engine.Input { return engine.NamespaceSeen{Namespace: n} },
				func(n *corev1.Namespace) engine.Input { return engine.NamespaceGone{Name: n.Name} }),
		},
		{
			name: "services", informer: core.Services().Informer(), calls: callsOf(coreClient.Services(metav1.NamespaceAll)),
			inputs: inputsOf(
				func(s *corev1.Service) engine.Input {
					return engine.ServiceSeen{Namespace: s.Namespace, Name: s.Name, Selector: s.Spec.Selector}
				},
				func(s *corev1.Service) engine.Input { return engine.ServiceGone{Namespace: s.Namespace, Name: s.Name} }),
		},
		{
			name: "replicationcontrollers", informer: core.ReplicationControllers().Informer(),
			calls: callsOf(coreClient.ReplicationControllers(metav1.NamespaceAll)),
			inputs: controllerInputs(podspec.ReplicationController, func(c *corev1.ReplicationController) *metav1.LabelSelector {
				return &metav1.LabelSelector{MatchLabels: c.Spec.Selector}
			}),
		},
		{
			name: "replicasets", informer: apps.ReplicaSets().Informer(), calls: callsOf(appsClient.ReplicaSets(metav1.NamespaceAll)),
			inputs: controllerInputs(podspec.ReplicaSet, func(c *appsv1.ReplicaSet) *metav1.LabelSelector { return c.Spec.Selector }),
		},
		{
			name: "statefulsets", informer: apps.StatefulSets().Informer(), calls: callsOf(appsClient.StatefulSets(metav1.NamespaceAll)),
			inputs: controllerInputs(podspec.StatefulSet, func(c *appsv1.StatefulSet) *metav1.LabelSelector { return c.Spec.Selector }),
		},
	}
}

// controllerInputs are those of controllers of one kind, which are known by their selectors.
func controllerInputs[T metav1.Object](of string, selector func(T) *metav1.LabelSelector) inputs {
	ref := func(c T) podspec.Controller {
		return podspec.Controller{Kind: of, Namespace: c.GetNamespace(), Name: c.GetName()}
	}
	return inputsOf(
		func(c T) engine.Input { return engine.ControllerSeen{Controller: ref(c), Selector: selector(c)} },
		func(c T) engine.Input { return engine.ControllerGone{Controller: ref(c)} })
}
