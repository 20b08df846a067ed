package scenarios

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// relation reads a line about what says that pods belong together. It is nil for others.
func (*engineStage) relation(w words) engine.Input {
	name, selected := w.arg(0), object.PodOf(w.opts["select"]).Labels
	by := podspec.Controller{Kind: w.arg(0), Namespace: metav1.NamespaceDefault, Name: w.arg(1)}
	switch w.verb {
	case "namespace":
		return engine.NamespaceSeen{Namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: w.opts}}}
	case "namespacegone":
		return engine.NamespaceGone{Name: name}
	case "service":
		return engine.ServiceSeen{Namespace: metav1.NamespaceDefault, Name: name, Selector: selected}
	case "servicegone":
		return engine.ServiceGone{Namespace: metav1.NamespaceDefault, Name: name}
	case "controller":
		return engine.ControllerSeen{Controller: by, Selector: &metav1.LabelSelector{MatchLabels: selected}}
	case "controllergone":
		return engine.ControllerGone{Controller: by}
	}
	return nil
}
