package engine

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// What decides which pods belong together: labels of namespaces, services, controllers.

func (e *Engine) namespaceSeen(now clock.Now, n *corev1.Namespace) {
	set, known := e.cluster.Namespace(n.Name)
	if known && maps.Equal(set, n.Labels) {
		return
	}
	e.cluster.SetNamespace(n.Name, n.Labels)
	if known {
		e.wake(now, event(framework.Namespace, fwk.Update, namespace(n.Name, set), n))
		return
	}
	e.wake(now, event(framework.Namespace, fwk.Add, nil, n))
}

func (e *Engine) namespaceGone(now clock.Now, name string) {
	set, known := e.cluster.Namespace(name)
	if !known {
		return
	}
	e.cluster.RemoveNamespace(name)
	e.wake(now, event(framework.Namespace, fwk.Delete, namespace(name, set), nil))
}

func namespace(name string, set map[string]string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: set}}
}

// backerChanged takes in services and controllers. They change scores only, so they wake
// nobody.
func (e *Engine) backerChanged(in Input) {
	switch in := in.(type) {
	case ServiceSeen:
		e.cluster.SetService(in.Namespace, in.Name, in.Selector)
	case ServiceGone:
		e.cluster.RemoveService(in.Namespace, in.Name)
	case ControllerSeen:
		e.cluster.SetController(in.Controller, in.Selector)
	case ControllerGone:
		e.cluster.RemoveController(in.Controller)
	}
}
