package podspec_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestKindIsWhatSelectorsLookAt(t *testing.T) {
	seen := map[string]string{}
	for _, words := range []string{"", "app=x", "app=y", "app=x tier=t", "in(other) app=x", "app=x deleting", "app=", "tier=x"} {
		kind := ofWords(words).Kind
		if other, ok := seen[kind]; ok {
			t.Errorf("%q and %q are of one kind: %q", words, other, kind)
		}
		seen[kind] = words
	}
	if a, b := ofWords("a=b app=x"), ofWords("app=x a=b near(k app=x) wants(c=d)"); a.Kind != b.Kind {
		t.Errorf("%q and %q, want one kind", a.Kind, b.Kind)
	}
}

func TestControllerIsOfAKindThatSelects(t *testing.T) {
	f := func(words, want string) {
		t.Helper()
		if c := ofWords(words).Controller; strings.TrimSpace(c.Kind+" "+c.Namespace+" "+c.Name) != want {
			t.Errorf("%s: %+v, want %s", words, c, want)
		}
	}
	f("app=x", "")
	f("of(ReplicaSet r)", "ReplicaSet default r")
	f("in(other) of(StatefulSet r)", "StatefulSet other r")
	f("of(ReplicationController r)", "ReplicationController default r")
	f("of(Job r)", "")
	strange, owned := object.PodOf("of(ReplicaSet r)"), object.PodOf("of(ReplicaSet r)")
	strange.OwnerReferences[0].APIVersion = "example.com/v1"
	owned.OwnerReferences[0].Controller = nil
	for _, p := range []*corev1.Pod{strange, owned} {
		if c := podspec.NewCompiler().Compile(p).Controller; c != (podspec.Controller{}) {
			t.Errorf("owner %+v is taken for the controller %+v", p.OwnerReferences[0], c)
		}
	}
}
