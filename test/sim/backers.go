package sim

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Backer is a controller that makes pods, of one of the kinds that select them.
type Backer struct {
	podspec.Controller
	Selector *metav1.LabelSelector `json:"selector"`
}

// back draws services and controllers for the pods of a world, and gives some pods a
// controller, which may not be there.
func (g *Gen) back(w *World) {
	for i := range Pick(g, 0, 1, 2, 3) {
		s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: Pick(g, "default", "default", "other"), Name: "s" + nodeName(i)}}
		if selector := g.relatedLabels(); g.Chance(90) {
			s.Spec.Selector = selector
		}
		w.Services = append(w.Services, s)
	}
	for _, kind := range []string{podspec.ReplicaSet, podspec.StatefulSet, podspec.ReplicationController} {
		if g.Chance(60) {
			w.Backers = append(w.Backers, g.backer(kind))
		}
	}
	for _, list := range [][]*corev1.Pod{w.Bound, w.Pending} {
		for _, p := range list {
			if g.Chance(60) {
				p.OwnerReferences = []metav1.OwnerReference{g.owner()}
			}
		}
	}
}

func (g *Gen) backer(kind string) Backer {
	b := Backer{Controller: podspec.Controller{Kind: kind, Namespace: "default", Name: "made"}, Selector: &metav1.LabelSelector{}}
	b.Selector.MatchLabels = maps.Clone(g.relatedLabels())
	if kind != podspec.ReplicationController && g.Chance(30) {
		b.Selector = g.podSelector()
	}
	if b.Selector == nil {
		b.Selector = &metav1.LabelSelector{}
	}
	return b
}

func (g *Gen) owner() metav1.OwnerReference {
	o := metav1.OwnerReference{
		APIVersion: appsv1.SchemeGroupVersion.String(), Name: Pick(g, "made", "made", "made", "gone"), UID: "made", Controller: ptr(g.Chance(90)),
		Kind: Pick(g, podspec.ReplicaSet, podspec.StatefulSet, podspec.ReplicationController, "Job"),
	}
	if o.Kind == podspec.ReplicationController && g.Chance(80) {
		o.APIVersion = "v1"
	}
	return o
}
