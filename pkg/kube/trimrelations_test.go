package kube

import (
	"math/rand"
	"reflect"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/utils/dump"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// What is put of namespaces, services and controllers is the same of a trimmed object as
// of the whole one, whatever is in it.
func TestRelationsPutTheSameOfTrimmedObjects(t *testing.T) {
	w, err := NewWatch(fake.NewClientset(), func(engine.Input) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill := filler(rand.New(rand.NewSource(*seed)))
	kinds := map[string]reflect.Type{ // pods and nodes have tests of their own
		"namespaces": reflect.TypeFor[corev1.Namespace](), "services": reflect.TypeFor[corev1.Service](),
		"replicationcontrollers": reflect.TypeFor[corev1.ReplicationController](),
		"replicasets":            reflect.TypeFor[appsv1.ReplicaSet](), "statefulsets": reflect.TypeFor[appsv1.StatefulSet](),
	}
	tried := 0
	for _, k := range w.kinds {
		of, related := kinds[k.name]
		if !related {
			continue
		}
		tried++
		for i := range 200 {
			whole := reflect.New(of)
			fill.Fill(whole.Interface())
			cut := reflect.New(of)
			cut.Elem().Set(whole.Elem())
			trimmed, err := Trim(cut.Interface())
			if err != nil {
				t.Fatal(err)
			}
			for _, input := range []func(any) engine.Input{k.inputs.seen, k.inputs.gone} {
				if got, want := read(input(trimmed)), read(input(whole.Interface())); got != want {
					t.Fatalf("-seed=%d, %s %d: trimmed it puts\n%s\nwhole\n%s", *seed, k.name, i, got, want)
				}
			}
		}
	}
	if tried != len(kinds) {
		t.Errorf("%d kinds are watched, want %d", tried, len(kinds))
	}
}

// read is what the engine reads of an input: of a namespace, no more than name and labels.
func read(in engine.Input) string {
	if n, ok := in.(engine.NamespaceSeen); ok {
		in = engine.NamespaceSeen{Namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: n.Namespace.Name, Labels: n.Namespace.Labels}}}
	}
	return dump.ForHash(in)
}
