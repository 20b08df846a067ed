package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// scene is a cluster with the scheduler on it, for cases that are told step by step.
type scene struct {
	t      *testing.T
	ctx    context.Context
	c      *controlplane.ControlPlane
	client kubernetes.Interface
}

func newScene(t *testing.T) *scene {
	ctx, c, client := started(t, 2*time.Minute)
	return &scene{t, ctx, c, client}
}

// nodes makes nodes of words, each with room for 4 CPUs.
func (s *scene) nodes(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		n := object.NodeOf(text)
		object.CPU("4").NodeFunc(n)
		must(s.t, s.c.CreateNodes(s.ctx, n))
	}
}

// pod makes a pod of words; on a node, unless that is "".
func (s *scene) pod(name, node, words string) {
	s.t.Helper()
	must(s.t, s.c.CreatePods(s.ctx, object.Pod(name, object.Is(words), object.OnNode(node), object.Grace(0))))
}

// places makes a pod of words and expects it on one of some nodes.
func (s *scene) places(name, words string, want ...string) {
	s.t.Helper()
	s.pod(name, "", words)
	s.bound(name, want...)
}

func (s *scene) bound(name string, want ...string) {
	s.t.Helper()
	start := time.Now()
	node, err := s.c.WaitBound(s.ctx, "default", name)
	must(s.t, err)
	if got := " " + strings.Join(want, " ") + " "; !strings.Contains(got, " "+node+" ") {
		s.t.Errorf("%s is on %s, want one of%s", name, node, got)
	}
	if took := time.Since(start); took > 6*time.Second {
		s.t.Errorf("%s was placed after %v, want 3s and a backoff at most", name, took)
	}
}

// refuses makes a pod of words and expects the parts in the reason why it waits.
func (s *scene) refuses(name, words string, parts ...string) {
	s.t.Helper()
	s.pod(name, "", words)
	cond, err := s.c.WaitReason(s.ctx, "default", name, corev1.PodReasonUnschedulable)
	must(s.t, err)
	for _, part := range parts {
		if !strings.Contains(cond.Message, part) {
			s.t.Errorf("%s waits as %q, want %q in it", name, cond.Message, part)
		}
	}
}

func (s *scene) delete(names ...string) {
	s.t.Helper()
	for _, name := range names {
		must(s.t, deleted(name)(s.ctx, s.client))
	}
}

// A tainted node is a domain without pods, unless the pod says that taints are to be
// honoured (case B33).
func TestTaintedNodesCountInTheSkewUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("n1", "n2", "cp taint(k)")
	const plain, honouring = "app=x spread(1 host app=x)", "app=x spread(1 host app=x taints=Honor)"
	s.places("a", plain, "n1", "n2")
	s.places("b", plain, "n1", "n2")
	s.refuses("c", plain, "2 node(s) didn't match pod topology spread constraints", "1 node(s) had untolerated taint(s)")
	s.refuses("d", plain, "2 node(s) didn't match pod topology spread constraints", "1 node(s) had untolerated taint(s)")
	s.delete("d", "c", "b", "a")
	for _, name := range []string{"e", "f", "g", "h"} {
		s.places(name, honouring, "n1", "n2")
	}
	on := podsByNode(t, s.ctx, s.client)
	if on["n1"] != 2 || on["n2"] != 2 {
		t.Errorf("pods by node: %v, want 2 and 2", on)
	}
}

// A node that lacks one of several keys is out of all counts, and is refused (case B35).
func TestNodeLackingOneOfSeveralKeysDoesNotCount(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("n1 zone=z1 rack=r1", "n2 zone=z2")
	const words = "app=x spread(1 zone app=x) spread(1 rack app=x)"
	s.pod("a", "n1", "app=x")
	s.places("b", words, "n1")
	s.places("c", words, "n1") // two are there already; it is the only domain
	s.refuses("d", words+" wants(host=n2)", "1 "+unlabelled)
	s.delete("d")
	must(t, patchNode(s.ctx, s.client, "n2", `{"metadata":{"labels":{"rack":"r2"}}}`))
	s.places("e", words, "n2")
	s.places("soft", "app=x soft(1 zone app=x) soft(1 rack app=x) wants(host=n2)", "n2")
}

// Fewer domains than minDomains count as if there were an empty one; a node that brings
// the missing one wakes the pod, and so does one that goes with its domain (case B37).
func TestNewZoneHelpsWhoWantsMoreDomains(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("n1 zone=z1", "n2 zone=z2")
	const words = "app=x spread(1 zone app=x min=3)"
	s.pod("a", "n1", "app=x")
	s.pod("b", "n2", "app=x")
	s.refuses("p", words, "2 "+skewed)
	s.nodes("n3 zone=z3")
	s.bound("p", "n3")
	s.places("p2", words, "n1", "n2", "n3")
	s.delete("p", "p2")
	must(t, s.client.CoreV1().Nodes().Delete(s.ctx, "n3", deleteNow))
	s.refuses("p3", words, "2 "+skewed)

	// An empty zone that takes no pods keeps the others at one; without it they may have two.
	s.nodes("n4 zone=z4 taint(k)")
	s.refuses("q", "app=x spread(1 zone app=x)", "2 "+skewed, "1 node(s) had untolerated taint(s)")
	must(t, s.client.CoreV1().Nodes().Delete(s.ctx, "n4", deleteNow))
	s.bound("q", "n1", "n2")
}
