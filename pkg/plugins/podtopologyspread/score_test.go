package podtopologyspread

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func service(name, labels string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: name},
		Spec:       corev1.ServiceSpec{Selector: object.PodOf(labels).Labels},
	}
}

// spreadOver expects raw scores and what they become, for the nodes that no word says are
// left out.
func spreadOver(t *testing.T, plugin *PodTopologySpread, w *sim.World, pod, raw, normal string, leftOut ...string) {
	t.Helper()
	r, n, err := sim.ScoresIn(plugin, object.PodOf(pod), w, leftOut...)
	got := [2]string{strings.Trim(fmt.Sprint(r), "[]"), strings.Trim(fmt.Sprint(n), "[]")}
	if err != nil || got != [2]string{raw, normal} {
		t.Errorf("%s on\n%s: %q, %v, want %q", pod, w, got, err, [2]string{raw, normal})
	}
}

func TestFewerPodsAreBetter(t *testing.T) {
	f := func(nodes, pod, raw, normal string, leftOut ...string) {
		t.Helper()
		spreadOver(t, New(nil), sim.WorldOf(sim.Sites(nodes)), pod, raw, normal, leftOut...)
	}
	hosts := "a: 2 app=x | b: app=x | c | d: 3 app=x"
	f(hosts, "app=x soft(1 host app=x)", "4 2 0 5", "20 60 100 0")
	f(hosts, "app=x soft(2 host app=x)", "5 3 1 6", "33 66 100 16")
	f("a: 4 app=x | b: 3 app=x | c: 2 app=x | d: app=x", "app=x soft(3 host app=x)", "9 7 6 4", "44 66 77 100")
	f(hosts, "app=x soft(1 host)", "0 0 0 0", "100 100 100 100") // selects nobody
	f(hosts, "app=x soft(1 host all)", "0 0 0 0", "100 100 100 100")
	f(hosts, "app=x", "0 0 0 0", "0 0 0 0")                      // nothing to score
	f(hosts, "app=x spread(1 host app=x)", "0 0 0 0", "0 0 0 0") // nor here
	f("a: 9 app=x", "app=x soft(1 host app=x)", "10", "")        // ln 3 for each
	f("a: app=x; in(other) app=x | b: 2 app=x", "app=x soft(1 host app=x)", "1 3", "100 33")
	f("a: app=x deleting | b: app=x", "app=x soft(1 host app=x)", "0 1", "100 0")

	// What was filtered out is no choice, and its host no domain; its zone's pods count.
	f("a: 4 app=x | b: 2 app=x | c: app=x | d: 3 app=x", "app=x soft(1 host app=x)", "6 3 2", "33 83 100", "d")
	f("a zone=z1: 4 app=x | b zone=z1: 2 app=x | x zone=z2: app=x | y zone=z2: 3 app=x", "app=x soft(1 zone app=x)", "8 8 6", "75 75 100", "y")
	f("a zone=z1: 4 app=x | b zone=z1 | c zone=z3: app=x", "app=x soft(1 zone app=x)", "4 4", "100 100", "c")
}

func TestNodesWithoutALabelAreLeftAlone(t *testing.T) {
	f := func(nodes, pod, raw, normal string) {
		t.Helper()
		spreadOver(t, New(nil), sim.WorldOf(sim.Sites(nodes)), pod, raw, normal)
	}
	f("a: 4 app=x | b nohost: 2 app=x | c: app=x", "app=x soft(1 host app=x)", "6 0 1", "16 0 100")
	f("a nohost | b nohost", "app=x soft(1 host app=x)", "0 0", "0 0")
	// Of two keys it needs both: the pods of b count for neither.
	f("a zone=z1: app=x | b zone=z2 nohost: 9 app=x | c zone=z2", "app=x soft(1 zone app=x) soft(1 host app=x)", "3 0 0", "0 0 100")
}

func TestConstraintsAddUp(t *testing.T) {
	f := func(nodes, pod, raw, normal string, leftOut ...string) {
		t.Helper()
		spreadOver(t, New(nil), sim.WorldOf(sim.Sites(nodes)), pod, raw, normal, leftOut...)
	}
	const both = "app=x soft(1 zone app=x) soft(1 host app=x)"
	// Zones: ln 4 for each pod of 3 and 4; hosts: ln 6 for each on the node.
	f("a zone=z1: 2 app=x | b zone=z1: app=x | c zone=z2 | d zone=z2: 4 app=x", both, "8 6 6 13", "84 100 100 46")
	f("a zone=z1: 2 app=x | b zone=z1: app=x | c zone=z2 | d zone=z2: 4 app=x", both, "7 6", "85 100", "b", "d")
	// A hard one beside it is none of its business.
	f("a zone=z1: app=x | b zone=z2", "app=x spread(1 zone app=x) soft(1 host app=x)", "1 0", "0 100")
	// Selectors of their own.
	f("a zone=z1: app=x; 3 tier=t | b zone=z2: app=x", "app=x soft(1 zone app=x) soft(1 host tier=t)", "6 1", "16 100")
}

func TestPoliciesSayWhoseZoneCounts(t *testing.T) {
	f := func(pod, raw string) {
		t.Helper()
		w := sim.WorldOf(sim.Sites("a zone=z1 foo=y: app=x | b zone=z1: 3 app=x | c zone=z2 foo=y taint(k): 2 app=x | d zone=z2 foo=y: app=x"))
		got, _, err := sim.ScoresIn(New(nil), object.PodOf(pod), w, "b", "c")
		if text := strings.Trim(fmt.Sprint(got), "[]"); err != nil || text != raw {
			t.Errorf("%s: scores %s, %v, want %s", pod, text, err, raw)
		}
	}
	f("app=x soft(1 zone app=x)", "6 4")
	f("app=x wants(foo=y) soft(1 zone app=x)", "1 4")
	f("app=x wants(foo=y) soft(1 zone app=x affinity=Ignore)", "6 4")
	f("app=x soft(1 zone app=x taints=Honor)", "6 1")
	f("app=x bears(k) soft(1 zone app=x taints=Honor)", "6 4")
	f("app=x wants(foo=y) soft(1 zone app=x taints=Honor)", "1 1")
	f("app=x wants(foo=y) soft(1 host app=x)", "1 1")

	// What is on the node counts in any case: b is not of those that the pod wants.
	w := sim.WorldOf(sim.Sites("a foo=y: app=x | b: 3 app=x"))
	spreadOver(t, New(nil), w, "app=x wants(foo=y) soft(1 host app=x)", "1 4", "100 25")
}

// backed is a world whose pods belong together.
func backed(nodes string) *sim.World {
	w := sim.WorldOf(sim.Sites(nodes))
	w.Services = []*corev1.Service{service("s", "app=x"), service("none", ""), service("other", "app=y")}
	made := func(kind string, selector metav1.LabelSelector) sim.Backer {
		return sim.Backer{Controller: podspec.Controller{Kind: kind, Namespace: metav1.NamespaceDefault, Name: "made"}, Selector: &selector}
	}
	byTier := map[string]string{"tier": "t"}
	w.Backers = []sim.Backer{
		made(podspec.ReplicaSet, metav1.LabelSelector{MatchLabels: byTier}),
		made(podspec.StatefulSet, metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}}),
		made(podspec.ReplicationController, metav1.LabelSelector{MatchLabels: byTier}),
	}
	return w
}

func TestServicesAndControllersSpreadByDefault(t *testing.T) {
	f := func(nodes, pod, raw, normal string) {
		t.Helper()
		spreadOver(t, New(nil), backed(nodes), pod, raw, normal)
	}
	f("a: 4 app=x | b: 3 app=x | c: 2 app=x | d: app=x", "app=x", "9 7 6 4", "44 66 77 100")
	f("a: 4 app=x | b: 3 app=x", "app=z", "0 0", "0 0")                 // nothing selects it
	f("a: 4 app=x | b: 3 app=x", "app=x in(other)", "0 0", "0 0")       // not in its namespace
	f("a: 4 app=x | b: 3 app=x", "app=x soft(1 nowhere)", "0 0", "0 0") // it has a constraint of its own
	tiers := "a: 4 tier=t; app=x | b: 2 tier=t; tier=u"
	for _, kind := range []string{"ReplicaSet", "ReplicationController"} {
		f(tiers, "tier=t of("+kind+" made)", "8 5", "62 100")
	}
	f(tiers, "tier=t of(StatefulSet made)", "8 6", "75 100")
	f(tiers, "tier=t of(Job made)", "0 0", "0 0")
	f(tiers, "tier=t of(ReplicaSet gone)", "0 0", "0 0")
	// A service and a controller select together.
	f("a: 4 app=x tier=t | b: 9 app=x; tier=t", "app=x tier=t of(ReplicaSet made)", "8 2", "25 100")
	// Nodes without a zone are one more choice: ln 5 for each pod in a zone, not ln 4.
	f("a zone=z1: 10 app=x | b zone=z2 | c", "app=x", "38 6 2", "5 89 100")
	// They are one with those whose zone is "", and count there; a has their pods, they have not.
	f("a zone=: 10 app=x | b: 10 app=x | c zone=z2", "app=x", "50 18 6", "12 76 100")
	f("a zone=: 3 app=x | c zone=z2", "app=x", "14 6", "42 100")
}

// A host is a node to a preference: pods on another one of the same name count for nothing,
// and each is a choice.
func TestNodesOfOneHostnameAreTwoHosts(t *testing.T) {
	spreadOver(t, New(nil), sim.WorldOf(sim.Sites("a host=h: 2 app=x | b host=h | c")), "app=x soft(1 host app=x)", "3 0 0", "0 100 100")
}

func TestListOfDefaultsNeedsAllKeys(t *testing.T) {
	list := listOf("soft(1 zone) soft(1 host)")
	w := backed("a zone=z1: app=x | b: 9 app=x | c zone=z2")
	spreadOver(t, list, w, "app=x", "3 0 0", "0 0 100")
	empty := New(&configv1.PodTopologySpreadArgs{DefaultingType: configv1.ListDefaulting})
	spreadOver(t, empty, w, "app=x", "0 0 0", "0 0 0")
	system := New(&configv1.PodTopologySpreadArgs{DefaultingType: configv1.SystemDefaulting})
	raw, _, err := sim.ScoresIn(system, object.PodOf("app=x"), w)
	if want := []int64{9, 16, 6}; err != nil || !slices.Equal(raw, want) {
		t.Errorf("by the system's defaults: %v, %v, want %v", raw, err, want)
	}
}
