package engine

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
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

// backerChanged takes in services and controllers. Only default spread constraints go by
// them, and seldom are those hard: then it may help. No reservation waits for it, and the
// metrics of events, which are those of upstream, do not count it.
func (e *Engine) backerChanged(now clock.Now, in Input) {
	var before, after *framework.Backer
	switch in := in.(type) {
	case ServiceSeen:
		before, after = e.service(in.Namespace, in.Name), serviceOf(in.Namespace, in.Selector)
		e.cluster.SetService(in.Namespace, in.Name, in.Selector)
	case ServiceGone:
		before = e.service(in.Namespace, in.Name)
		e.cluster.RemoveService(in.Namespace, in.Name)
	case ControllerSeen:
		before, after = e.controller(in.Controller), controllerOf(in.Controller, in.Selector)
		e.cluster.SetController(in.Controller, in.Selector)
	case ControllerGone:
		before = e.controller(in.Controller)
		e.cluster.RemoveController(in.Controller)
	}
	switch {
	case equality.Semantic.DeepEqual(before, after): // most updates
	case before == nil:
		e.queue.Wake(now, event(framework.Backers, fwk.Add, nil, after))
	case after == nil:
		e.queue.Wake(now, event(framework.Backers, fwk.Delete, before, nil))
	default:
		e.queue.Wake(now, event(framework.Backers, fwk.Update, before, after))
	}
}

// service returns a service as it was so far, nil if it is not known.
func (e *Engine) service(namespace, name string) *framework.Backer {
	selector, known := e.cluster.Service(namespace, name)
	if !known {
		return nil
	}
	return serviceOf(namespace, selector)
}

// controller does the same for a controller.
func (e *Engine) controller(by podspec.Controller) *framework.Backer {
	selector, known := e.cluster.Controller(by)
	if !known {
		return nil
	}
	return controllerOf(by, selector)
}

func serviceOf(namespace string, selector map[string]string) *framework.Backer {
	return &framework.Backer{Namespace: namespace, Selector: &metav1.LabelSelector{MatchLabels: selector}}
}

func controllerOf(by podspec.Controller, selector *metav1.LabelSelector) *framework.Backer {
	return &framework.Backer{Namespace: by.Namespace, Controller: by, Selector: selector}
}
