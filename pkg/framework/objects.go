package framework

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Objects returns the two objects of an event as what a hint expects them to be. An
// absent one is nil; the error tells of another type.
func Objects[T any](before, after any) (was, now T, err error) {
	if before != nil {
		var ok bool
		if was, ok = before.(T); !ok {
			return was, now, fmt.Errorf("expected %T as the old object of an event, got %T", was, before)
		}
	}
	if after != nil {
		var ok bool
		if now, ok = after.(T); !ok {
			return was, now, fmt.Errorf("expected %T as the new object of an event, got %T", now, after)
		}
	}
	return was, now, nil
}

// Resources of events that upstream does not have, so that its hints miss what they tell.
const (
	// Namespace events tell of namespaces; InterPodAffinity's terms may go by their labels.
	Namespace fwk.EventResource = "Namespace"
	// TerminatingPod events tell that a pod on a node is being deleted. It counts for no
	// spread constraint from then on, and may still be there for a long time.
	TerminatingPod fwk.EventResource = "TerminatingPod"
	// Backers events tell of a Backer.
	Backers fwk.EventResource = "Backer"
	// AdoptedPod events tell that the pod itself has another controller, or none any more.
	AdoptedPod fwk.EventResource = "AdoptedPod"
)

// Backer is a service or a controller: it says that pods belong together.
// PodTopologySpread's default constraints go by it.
type Backer struct {
	Namespace  string
	Controller podspec.Controller // none for a service
	Selector   *metav1.LabelSelector
}

// Backs reports whether b is one of the pod's. One that is missing is not.
func (b *Backer) Backs(p *podspec.Pod) bool {
	switch {
	case b == nil || b.Namespace != p.Namespace:
		return false
	case b.Controller != podspec.Controller{}:
		return b.Controller == p.Controller
	}
	set := b.Selector.MatchLabels
	return len(set) > 0 && labels.SelectorFromValidatedSet(set).Matches(labels.Set(p.API.Labels))
}

// TakesRoom reports whether a pod of an event counts on a node: it is on one, or
// nominated to one.
func TakesRoom(p *corev1.Pod) bool { return p.Spec.NodeName != "" || p.Status.NominatedNodeName != "" }
