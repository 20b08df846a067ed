package interpodaffinity

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// Judge: the oracle in test/oracle, which asks upstream's plugin the same on random
// clusters, and the recount of every counter in pkg/cluster. A rule about all pods has no
// definition for one node.

// place is the world of some nodes and of the namespaces that exist: team=a is other,
// team=b is third, default has no team, unseen does not exist.
func place(nodes string) *sim.World {
	w := sim.WorldOf(sim.Sites(nodes))
	for name, team := range map[string]string{"default": "", "other": "a", "third": "b"} {
		n := namespaceOf(name, "")
		if team != "" {
			n.Labels["team"] = team
		}
		w.Namespaces = append(w.Namespaces, n)
	}
	return w
}

func namespaceOf(name, labels string) *corev1.Namespace {
	set := map[string]string{corev1.LabelMetadataName: name}
	for key, value := range object.PodOf(labels).Labels {
		set[key] = value
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: set}}
}

// short says what the filter says in a word each: no partner, a blocker, a pod that wants
// to be alone.
func short(answers []string) string {
	words := strings.NewReplacer(
		"UnschedulableAndUnresolvable: "+ReasonAffinity, "affinity", "Unschedulable: "+ReasonAnti, "anti",
		"Unschedulable: "+ReasonExisting, "existing", "Success", "fits")
	for i, answer := range answers {
		answers[i] = words.Replace(answer)
	}
	return strings.Join(answers, " ")
}

func expectVerdicts(t *testing.T, nodes, pod, want string) {
	t.Helper()
	if got := short(sim.Verdicts(New(nil), object.PodOf(pod), place(nodes))); got != want {
		t.Errorf("%s on %s: %s, want %s", pod, nodes, got, want)
	}
}

func TestPodGoesWhereAPartnerIs(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, nodes, pod, want)
	}
	zones := "a zone=z1: app=x | b zone=z1 | c zone=z2 | d: app=x"
	f(zones, "near(zone app=x)", "fits fits affinity affinity")
	f(zones, "near(host app=x)", "fits affinity affinity fits")
	f(zones, "near(zone app=y)", "affinity affinity affinity affinity")
	f(zones, "near(zone)", "affinity affinity affinity affinity") // no selector selects nobody
	f(zones, "near(zone all)", "fits fits affinity affinity")
	f(zones, "near(zone app!=y)", "fits fits affinity affinity")
	f(zones, "app=y near(zone !app)", "affinity affinity affinity affinity")
	f("a zone=z1: tier=t | b zone=z2: app=x", "near(zone !app)", "fits affinity")
	f("a zone=z1: tier=t | b zone=z2: app=x", "near(zone app!=x)", "fits affinity") // so does NotIn match who lacks it
	f(zones, "app=x", "PreFilter skips")
	f(zones, "likes(5 zone app=x) dislikes(5 zone app=x)", "PreFilter skips")
	f("a zone=z1: app=x deleting | b zone=z2", "near(zone app=x)", "fits affinity") // it still counts

	// One pod must match all terms.
	f("a zone=z1: app=x tier=t | b zone=z1", "near(host app=x) near(zone tier=t)", "fits affinity")
	f("a zone=z1: app=x; tier=t | b zone=z1", "near(host app=x) near(host tier=t)", "affinity affinity")
}

func TestFirstOfItsGroupGoesAnywhere(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, nodes, pod, want)
	}
	const own = "app=x near(zone app=x)"
	f("a zone=z1 | b | c zone=z2: app=y", own, "fits affinity fits") // it needs the key
	f("a zone=z1 | b | c zone=z2: app=x", own, "affinity affinity fits")
	f("a zone=z1: app=x in(other) | c zone=z2", own, "fits fits") // of another namespace
	f("a zone=z1", "app=y near(zone app=x)", "affinity")
	f("a zone=z1 rack=r", "app=x near(zone app=x) near(rack tier=t)", "affinity") // B45: it must match all its terms
	f("a zone=z1 rack=r | b zone=z1", "app=x tier=t near(zone app=x) near(rack tier=t)", "fits affinity")
	f("a zone=z1 rack=r: app=x | b zone=z1 rack=q", "app=x tier=t near(zone app=x) near(rack tier=t)", "fits fits") // nobody matches both
	// A partner on a node without any of the keys is none.
	f("a zone=z1 | b: app=x", own, "fits affinity")
	f("a zone=z1 rack=r | b rack=q: app=x", "app=x near(zone app=x) near(rack app=x)", "affinity affinity")
}

func TestPodKeepsAwayFromBlockers(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, nodes, pod, want)
	}
	zones := "a zone=z1: app=x | b zone=z1 | c zone=z2: app=y | d: app=x"
	f(zones, "far(zone app=x)", "anti anti fits fits") // a node without the key is in no domain
	f(zones, "far(host app=x)", "anti fits fits anti")
	f(zones, "far(nowhere app=x)", "fits fits fits fits")
	f(zones, "far(zone)", "fits fits fits fits")
	f(zones, "far(zone app=x) far(host app=y)", "anti anti anti fits") // any of them
	f(zones, "far(zone app=x) near(zone app=x)", "anti anti affinity affinity")
	f("a zone=z1: app=x in(other) | b zone=z2", "far(zone app=x)", "fits fits")
	f("a zone=z1: tier=t | b zone=z2: app=x", "far(zone app!=x)", "anti fits")
	f("a zone=z1: app=x deleting | b zone=z2", "far(zone app=x)", "anti fits")
}

func TestPodKeepsAwayFromWhoWantsToBeAlone(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, nodes, pod, want)
	}
	f("a zone=z1: far(zone app=x) | b zone=z1 | c zone=z2", "app=x", "existing existing fits")
	f("a zone=z1: far(zone app=x) | b zone=z1 | c zone=z2", "app=y", "PreFilter skips")
	f("a zone=z1: far(zone app=x) in(other) | b zone=z2", "app=x", "PreFilter skips") // it means its own namespace
	f("a zone=z1: far(nowhere app=x) | b zone=z2", "app=x", "PreFilter skips")        // it is in no such domain
	f("a zone=z1: dislikes(9 zone app=x)", "app=x", "PreFilter skips")
	// Each of two terms rejects its own domain.
	f("a zone=z1 region=r1: far(zone app=x) far(region tier=t) | b zone=z2 region=r1 | c zone=z1 region=r2 | d zone=z3 region=r3",
		"app=x tier=t", "existing existing existing fits")
	// Affinity is told before anti-affinity, and that before the others'.
	nodes := "a zone=z1: far(host app=x); tier=t | b zone=z1: far(host app=x) | c zone=z2"
	f(nodes, "app=x near(zone tier=t) far(host tier=t)", "anti existing affinity")
}

func TestNamespacesAreNamedOrSelected(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, nodes, pod, want)
	}
	nodes := "a: app=x | b: app=x in(other) | c: app=x in(third) | d: app=x in(unseen)"
	f(nodes, "far(host app=x)", "anti fits fits fits")
	f(nodes, "far(host app=x ns=third,other)", "fits anti anti fits")
	f(nodes, "far(host app=x nsel:team=a)", "fits anti fits fits")
	f(nodes, "far(host app=x ns=third nsel:team=a)", "fits anti anti fits") // either
	f(nodes, "far(host app=x nsel:!team)", "anti fits fits fits")           // what does not exist is not selected by labels
	f(nodes, "far(host app=x nsel:all)", "anti anti anti anti")             // but by a selector of all
	// B39: what is excluded stays out, whatever the selector says of no labels.
	f(nodes, "in(other) far(host app=x nsel:kubernetes.io/metadata.name!=other)", "anti fits anti fits")

	f("a: far(host app=x ns=other)", "app=x in(other)", "existing")
	f("a: far(host app=x nsel:team=a)", "app=x in(other)", "existing")
	f("a: far(host app=x nsel:team=a)", "app=x in(third)", "PreFilter skips")
	f("a: far(host app=x nsel:!team)", "app=x", "existing")
	f("a: far(host app=x nsel:!team)", "app=x in(unseen)", "existing") // without an object it has no labels
	f("a: far(host app=x nsel:all)", "app=x in(unseen)", "existing")
	f("a: app=x in(other) | b", "app=x in(other) near(host app=x ns=other)", "fits affinity")
	f("a: app=x in(other) | b", "app=x near(host app=x nsel:team=a)", "fits affinity")
	f("a | b", "app=x near(host app=x ns=other)", "affinity affinity") // it is not of the group itself
}

func TestPodsOfAWhatIfCount(t *testing.T) {
	f := func(nodes, pod string, moves []sim.Move, want string) {
		t.Helper()
		if got := short(sim.VerdictsAfter(New(nil), object.PodOf(pod), place(nodes), moves...)); got != want {
			t.Errorf("%s on %s after %v: %s, want %s", pod, nodes, moves, got, want)
		}
	}
	zones := "a zone=z1: app=x | b zone=z1 | c zone=z2"
	come, gone := sim.Move{Node: "c", Add: object.PodOf("app=x")}, sim.Move{Node: "a"}
	f(zones, "near(zone app=x)", []sim.Move{come}, "fits fits fits")
	f(zones, "near(zone app=x)", []sim.Move{come, gone}, "affinity affinity fits")
	f(zones, "app=x near(zone app=x)", []sim.Move{gone}, "fits fits fits") // it is the first then
	f(zones, "far(zone app=x)", []sim.Move{come}, "anti anti anti")
	f(zones, "far(zone app=x)", []sim.Move{gone}, "fits fits fits")
	alone := "a zone=z1: far(zone app=x) | b zone=z2"
	f(alone, "app=x", []sim.Move{{Node: "a"}}, "fits fits")
	f(alone, "app=x", []sim.Move{{Node: "b", Add: object.PodOf("far(zone app=x)")}}, "existing existing")
}

func TestUnreadableTermRejects(t *testing.T) {
	f := func(pod, want string) {
		t.Helper()
		got := sim.Verdicts(New(nil), object.PodOf(pod), place("a | b"))
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q, want %q", pod, got, want)
		}
	}
	const rejects = "PreFilter UnschedulableAndUnresolvable: parsing pod: "
	f("near(zone app=-)", rejects+`requiredAffinityTerms: values[0][app]: Invalid value: "-": a valid label`)
	f("far(zone app=-)", rejects+`requiredAntiAffinityTerms: values[0][app]: Invalid value: "-"`)
	f("likes(1 zone app=-)", rejects+`preferredAffinityTerms: values[0][app]: Invalid value: "-"`)
	f("dislikes(1 zone app=-)", rejects+`preferredAntiAffinityTerms: values[0][app]: Invalid value: "-"`)
	f("near(zone nsel:team=-)", rejects+`requiredAffinityTerms: values[0][team]: Invalid value: "-"`)
	both := sim.Verdicts(New(nil), object.PodOf("near(zone app=-) far(zone app=-)"), place("a"))
	if !slices.ContainsFunc(both, func(s string) bool {
		return strings.HasPrefix(s, rejects+"[requiredAffinityTerms: ") && strings.Contains(s, ", requiredAntiAffinityTerms: ")
	}) {
		t.Errorf("two that are unreadable: %q, want both told", both)
	}
}
