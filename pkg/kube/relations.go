package kube

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// What says which pods belong together: labels of namespaces, services, and controllers.
// A leader that takes over need not catch up with services and controllers, as they only
// change scores.

// relations returns the kinds of it.
func (w *Watch) relations(client kubernetes.Interface, put Put) []*kind {
	core, apps := w.factory.Core().V1(), w.factory.Apps().V1()
	return []*kind{
		{
			name: "namespaces", informer: core.Namespaces().Informer(), calls: callsOf(client.CoreV1().Namespaces()),
			handler: handlerOf(put,
				func(n *corev1.Namespace) engine.Input { return engine.NamespaceSeen{Namespace: n} },
				func(_, name string) engine.Input { return engine.NamespaceGone{Name: name} }),
		},
		{
			name: "services", informer: core.Services().Informer(), onlyScores: true,
			handler: handlerOf(put,
				func(s *corev1.Service) engine.Input {
					return engine.ServiceSeen{Namespace: s.Namespace, Name: s.Name, Selector: s.Spec.Selector}
				},
				func(namespace, name string) engine.Input { return engine.ServiceGone{Namespace: namespace, Name: name} }),
		},
		controllers(put, "replicationcontrollers", podspec.ReplicationController, core.ReplicationControllers().Informer(),
			func(c *corev1.ReplicationController) *metav1.LabelSelector {
				return &metav1.LabelSelector{MatchLabels: c.Spec.Selector}
			}),
		controllers(put, "replicasets", podspec.ReplicaSet, apps.ReplicaSets().Informer(),
			func(c *appsv1.ReplicaSet) *metav1.LabelSelector { return c.Spec.Selector }),
		controllers(put, "statefulsets", podspec.StatefulSet, apps.StatefulSets().Informer(),
			func(c *appsv1.StatefulSet) *metav1.LabelSelector { return c.Spec.Selector }),
	}
}

// controllers returns a kind of controllers that are known by their selectors.
func controllers[T metav1.Object](put Put, name, of string, informer cache.SharedIndexInformer, selector func(T) *metav1.LabelSelector) *kind {
	ref := func(namespace, name string) podspec.Controller {
		return podspec.Controller{Kind: of, Namespace: namespace, Name: name}
	}
	return &kind{
		name: name, informer: informer, onlyScores: true,
		handler: handlerOf(put,
			func(c T) engine.Input {
				return engine.ControllerSeen{Controller: ref(c.GetNamespace(), c.GetName()), Selector: selector(c)}
			},
			func(namespace, name string) engine.Input {
				return engine.ControllerGone{Controller: ref(namespace, name)}
			}),
	}
}

// handlerOf puts what is seen of objects, and which of them are gone.
func handlerOf[T metav1.Object](put Put, seen func(T) engine.Input, gone func(namespace, name string) engine.Input) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { put(seen(obj.(T))) },
		UpdateFunc: func(_, obj any) { put(seen(obj.(T))) },
		DeleteFunc: func(obj any) {
			if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = last.Obj
			}
			o := obj.(T)
			put(gone(o.GetNamespace(), o.GetName()))
		},
	}
}
