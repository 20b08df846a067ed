package oracle

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/sim"
)

// know puts what upstream's plugins look up by listers in place of what was there: the
// informers do not run, their stores are filled by hand.
func (u *Upstream) know(q *Question) error {
	stores := map[string]cache.Indexer{
		"Namespace":                   u.informers.Core().V1().Namespaces().Informer().GetIndexer(),
		"Service":                     u.informers.Core().V1().Services().Informer().GetIndexer(),
		podspec.ReplicationController: u.informers.Core().V1().ReplicationControllers().Informer().GetIndexer(),
		podspec.ReplicaSet:            u.informers.Apps().V1().ReplicaSets().Informer().GetIndexer(),
		podspec.StatefulSet:           u.informers.Apps().V1().StatefulSets().Informer().GetIndexer(),
	}
	objects := map[string][]any{}
	for _, n := range q.Namespaces {
		objects["Namespace"] = append(objects["Namespace"], n)
	}
	for _, s := range q.Services {
		objects["Service"] = append(objects["Service"], s)
	}
	for _, b := range q.Backers {
		objects[b.Kind] = append(objects[b.Kind], backer(b))
	}
	for kind, store := range stores {
		if err := store.Replace(objects[kind], ""); err != nil {
			return fmt.Errorf("upstream's store of %s takes no objects: %w", kind, err)
		}
	}
	return nil
}

// backer is a controller as the API has it.
func backer(b sim.Backer) any {
	meta := metav1.ObjectMeta{Namespace: b.Namespace, Name: b.Name}
	switch b.Kind {
	case podspec.ReplicaSet:
		return &appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Selector: b.Selector}}
	case podspec.StatefulSet:
		return &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Selector: b.Selector}}
	}
	return &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Selector: b.Selector.MatchLabels}}
}
