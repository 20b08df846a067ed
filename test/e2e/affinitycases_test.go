package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

var deleteNow = *metav1.NewDeleteOptions(0)

func podsByNode(t *testing.T, ctx context.Context, client kubernetes.Interface) map[string]int {
	t.Helper()
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	must(t, err)
	on := map[string]int{}
	for i := range pods.Items {
		on[pods.Items[i].Spec.NodeName]++
	}
	return on
}

func (s *scene) namespaces(names ...string) {
	s.t.Helper()
	for _, name := range names {
		_, err := s.client.CoreV1().Namespaces().Create(s.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		must(s.t, err)
	}
}

// A namespace selector that excludes a namespace excludes it: pods in it do not repel
// each other (case B39).
func TestPodsInAnExcludedNamespaceDoNotRepel(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.namespaces("w", "x", "y")
	s.nodes("n1")
	const alone = " far(host id nsel:kubernetes.io/metadata.name!=w)"
	s.pod("e", "n1", "in(w) id=1")
	s.pod("c", "", "in(w)"+alone)
	_, err := s.c.WaitBound(s.ctx, "w", "c")
	must(t, err)
	s.pod("d", "", "in(x)"+alone)
	_, err = s.c.WaitBound(s.ctx, "x", "d")
	must(t, err)
	s.pod("e2", "n1", "in(y) id=2")
	s.pod("c2", "", "in(w)"+alone)
	cond, err := s.c.WaitReason(s.ctx, "w", "c2", corev1.PodReasonUnschedulable)
	must(t, err)
	if want := "0/1 nodes are available: 1 " + blocked + "."; !strings.HasPrefix(cond.Message, want) {
		t.Errorf("c2 waits as %q, want %q", cond.Message, want)
	}
}

// The pod that repelled another wakes it when it goes, and so do labels of its own that
// it does not repel (case B41).
func TestPodThatWasRepelledIsPlacedOnceItIsNot(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("n1")
	s.pod("e", "n1", "far(host role=web)")
	s.refuses("w", "role=web", "1 "+keptAway)
	s.delete("e")
	s.bound("w", "n1")
	s.delete("w")
	s.pod("e", "n1", "far(host role=web)")
	s.refuses("w", "role=web", "1 "+keptAway)
	must(t, patchPod("w", `{"metadata":{"labels":{"role":"db"}}}`)(s.ctx, s.client))
	s.bound("w", "n1")
}

// A term whose number does not parse matches no node, and a label that is none fails its
// node only; an empty value is a value (case B43). The API server takes no negative number.
func TestOddNumbersInNodeAffinity(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("a gen=500", "b gen=500m", "c gen=", "d")
	term := func(op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "gen", Operator: op, Values: values}}}
	}
	wants := func(name string, terms ...corev1.NodeSelectorTerm) error {
		return s.c.CreatePods(s.ctx, object.Pod(name, object.PodFunc(func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
		})))
	}
	create := func(name string, terms ...corev1.NodeSelectorTerm) {
		t.Helper()
		must(t, wants(name, terms...))
	}
	odd := term(corev1.NodeSelectorOpGt, "150.1")
	create("p1", odd)
	create("p2", term(corev1.NodeSelectorOpGt, "150"))
	create("p3", term(corev1.NodeSelectorOpIn, ""))
	create("p4", odd, term(corev1.NodeSelectorOpDoesNotExist))
	if err := wants("p5", term(corev1.NodeSelectorOpGt, "-1")); !apierrors.IsInvalid(err) {
		t.Errorf("a negative number: %v, want it refused as invalid", err)
	}
	for name, node := range map[string]string{"p2": "a", "p3": "c", "p4": "d"} {
		s.bound(name, node)
	}
	cond, err := s.c.WaitReason(s.ctx, "default", "p1", corev1.PodReasonUnschedulable)
	must(t, err)
	if want := "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector."; !strings.HasPrefix(cond.Message, want) {
		t.Errorf("p1 waits as %q, want %q", cond.Message, want)
	}
}

// The first pod of a group goes where all keys are, if it matches its own terms (case
// B45).
func TestFirstPodOfAGroupGoesWhereTheKeysAre(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("n1")
	const words = "app=s near(zone app=s)"
	s.refuses("p", words, "1 "+partner)
	s.nodes("n2 zone=z1")
	s.bound("p", "n2")
	s.nodes("n3 zone=z2")
	s.places("p2", words, "n2")
	s.refuses("q", "app=s near(zone app=s) near(zone tier=t)", "3 "+partner)
	s.delete("p", "p2")
	s.refuses("q2", "app=s near(zone app=s) near(zone tier=t)", "3 "+partner)
	s.places("p3", words, "n2", "n3")
}

// Pods on a node that is not there are skipped in every view, and those of a namespace that
// is gone are still there, but selected by its name or with all (case B99).
func TestPodsOfANodeOrANamespaceThatIsGoneStopNobody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.namespaces("void")
	s.pod("g", "ghost", "far(host all nsel:all)")
	s.pod("v", "n1", "in(void) app=x far(host app=k nsel:all)")
	s.vanishes("void")
	s.nodes("n1", "n2")
	s.places("b", "", "n1", "n2")
	s.refuses("a", "near(host app=x nsel:team!=a)", "2 "+partner)
	s.places("c", "near(host app=x nsel:all)", "n1")
	s.places("k", "app=k", "n2")
	must(t, s.client.CoreV1().Nodes().Delete(s.ctx, "n1", deleteNow))
	s.refuses("d", "near(host app=x nsel:all)", "1 "+partner)
	s.places("e", "", "n2")
}

// vanishes removes a namespace, and none of its pods, which no controller does here.
func (s *scene) vanishes(name string) {
	s.t.Helper()
	namespaces := s.client.CoreV1().Namespaces()
	must(s.t, namespaces.Delete(s.ctx, name, metav1.DeleteOptions{}))
	n, err := namespaces.Get(s.ctx, name, metav1.GetOptions{})
	must(s.t, err)
	n.Spec.Finalizers = nil
	_, err = namespaces.Finalize(s.ctx, n, metav1.UpdateOptions{})
	must(s.t, err)
	must(s.t, s.c.WaitFor(s.ctx, "the namespace to be gone", func(ctx context.Context) error {
		if _, err := namespaces.Get(ctx, name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it is there still: %w", err)
		}
		return nil
	}))
}
