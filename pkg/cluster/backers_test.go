package cluster_test

import (
	"strconv"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// siblings is the selector of those that belong together with a pod.
func (s *stage) siblings(words string) string {
	found := s.Siblings(s.specs.Compile(object.PodOf(words)))
	if found == nil {
		return "none"
	}
	return found.Selector.String()
}

func (s *stage) expectSiblings(t *testing.T, words, want string) {
	t.Helper()
	for range 2 { // the second answer is a kept one
		if got := s.siblings(words); got != want {
			t.Errorf("siblings of %s: %s, want %s", words, got, want)
		}
	}
}

func labelsOfWords(words string) map[string]string { return object.PodOf(words).Labels }

func TestServicesSayWhoBelongsTogether(t *testing.T) {
	s := newStage(t)
	s.expectSiblings(t, "app=x", "none")
	s.SetService("default", "web", labelsOfWords("app=x"))
	s.SetService("default", "all", nil) // one without a selector selects nobody
	s.SetService("default", "tier", labelsOfWords("tier=t"))
	s.SetService("other", "web", labelsOfWords("app=y"))
	s.expectSiblings(t, "app=x", "app=x")
	s.expectSiblings(t, "app=x a=b", "app=x")
	s.expectSiblings(t, "app=x tier=t", "app=x,tier=t") // both
	s.expectSiblings(t, "app=y", "none")
	s.expectSiblings(t, "app=y in(other)", "app=y")
	s.SetService("default", "web", labelsOfWords("a=b"))
	s.expectSiblings(t, "app=x", "none")
	s.expectSiblings(t, "app=x a=b", "a=b")
	s.RemoveService("default", "web")
	s.expectSiblings(t, "app=x a=b", "none")
	s.RemoveService("default", "never")
	s.RemoveService("nowhere", "never")
}

func TestControllersSayWhoBelongsTogether(t *testing.T) {
	s := newStage(t)
	by := func(kind string) podspec.Controller {
		return podspec.Controller{Kind: kind, Namespace: "default", Name: "made"}
	}
	exists := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}}
	plain := &metav1.LabelSelector{MatchLabels: labelsOfWords("app=x")}
	s.SetController(by(podspec.ReplicaSet), plain)
	s.SetController(by(podspec.StatefulSet), exists)
	s.SetController(by(podspec.ReplicationController), plain)
	s.expectSiblings(t, "app=x of(ReplicaSet made)", "app=x")
	s.expectSiblings(t, "app=x of(ReplicaSet gone)", "none")
	s.expectSiblings(t, "app=x of(Job made)", "none")
	s.expectSiblings(t, "app=x of(StatefulSet made)", "tier")
	s.expectSiblings(t, "app=x of(ReplicationController made)", "app=x")
	s.expectSiblings(t, "app=x in(other) of(ReplicaSet made)", "none")
	s.SetService("default", "web", labelsOfWords("app=y"))
	s.expectSiblings(t, "app=y of(StatefulSet made)", "app=y,tier")
	// The labels of a ReplicationController are merged into those of services.
	s.expectSiblings(t, "app=y of(ReplicationController made)", "app=x")
	s.expectSiblings(t, "app=y of(ReplicaSet made)", "app=y,app=x")
	s.SetController(by(podspec.ReplicaSet), exists)
	s.expectSiblings(t, "app=x of(ReplicaSet made)", "tier")
	s.RemoveController(by(podspec.ReplicaSet))
	s.expectSiblings(t, "app=x of(ReplicaSet made)", "none")
}

func TestPodOfSiblingsCountsIfItIsLikeThem(t *testing.T) {
	s := newStage(t)
	s.SetController(podspec.Controller{Kind: podspec.ReplicaSet, Namespace: "default", Name: "made"}, &metav1.LabelSelector{MatchLabels: labelsOfWords("app=x")})
	f := func(words string, want bool) {
		t.Helper()
		p := s.specs.Compile(object.PodOf(words))
		if got := s.Siblings(p); got.SelfMatch != want || s.Selects(&got.Pods, p) != want {
			t.Errorf("%s counts: %v, want %v", words, got.SelfMatch, want)
		}
	}
	f("app=x of(ReplicaSet made)", true)
	f("app=y of(ReplicaSet made)", false)
}

func TestOnlySoManyAnswersAreKept(t *testing.T) {
	s := newStage(t)
	s.SetService("default", "web", labelsOfWords("app=x"))
	for i := range 10_000 {
		s.siblings("app=x hash=" + strconv.Itoa(i))
	}
	s.expectSiblings(t, "app=x hash=7", "app=x")
}

func TestAnUpdateThatChangesNothingKeepsTheAnswers(t *testing.T) {
	s := newStage(t)
	by := podspec.Controller{Kind: podspec.ReplicaSet, Namespace: "default", Name: "made"}
	update := func() {
		s.SetService("default", "web", labelsOfWords("app=x"))
		s.SetController(by, &metav1.LabelSelector{MatchLabels: labelsOfWords("app=x")})
	}
	update()
	p := s.specs.Compile(object.PodOf("app=x of(ReplicaSet made)"))
	before := s.Siblings(p)
	update()
	if s.Siblings(p) != before {
		t.Error("the answer was looked up anew")
	}
}
