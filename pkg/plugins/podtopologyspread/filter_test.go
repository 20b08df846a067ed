package podtopologyspread

import (
	"slices"
	"strings"
	"testing"

	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// Judge: the oracle in test/oracle, which asks upstream's plugin the same on random
// clusters, and the recount of every counter in pkg/cluster. A rule about all nodes has
// no definition for one.

// short says what a filter says in one word: a node without a label, or with too many.
func short(answers []string) string {
	words := strings.NewReplacer(
		"UnschedulableAndUnresolvable: "+ReasonLabel, "label", "Unschedulable: "+ReasonSkew, "skew", "Success", "fits")
	for i, answer := range answers {
		answers[i] = words.Replace(answer)
	}
	return strings.Join(answers, " ")
}

func expectVerdicts(t *testing.T, pod, nodes, want string) {
	t.Helper()
	if got := short(sim.Verdicts(New(nil), object.PodOf(pod), sim.WorldOf(sim.Sites(nodes)))); got != want {
		t.Errorf("%s on %s: %s, want %s", pod, nodes, got, want)
	}
}

func TestDomainsWithTooManyPodsAreFull(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, pod, nodes, want)
	}
	const x = "app=x"
	f("a zone=z1: 2 app=x | b zone=z1: app=x | c zone=z2: 3 app=x | d zone=z2", "app=x spread(1 zone app=x)", "fits fits fits fits")
	f("a zone=z1: app=x | b zon=z1: app=x | c zone=z2: 2 app=x", "app=x spread(1 zone app=x)", "fits label skew")
	f("a | b: app=x", "app=x spread(1 zone app=x)", "label label")
	hosts := "a: 2 app=x | b: app=x | c | d: 3 app=x"
	f(hosts, "app=x spread(1 host app=x)", "skew skew fits skew")
	f(hosts, "app=x spread(2 host app=x)", "skew fits fits skew")
	f(hosts, "app=y spread(1 host app=x)", "skew fits fits skew")                         // the pod itself will not count
	f(hosts, "app=x spread(1 host)", "fits fits fits fits")                               // no selector selects nobody
	f(hosts, "app=x spread(1 host all)", "fits fits fits fits")                           // one that selects all counts nobody
	f("a host=h: 2 app=x | b host=h | c", "app=x spread(1 host app=x)", "skew skew fits") // one host of two nodes
	f("a: app=x; 4 in(other) app=x | b: app=x; 2 app=x deleting", "app=x spread(1 host app=x)", "fits fits")
	f("a: 2 app=x; 9 app=y | b: app=x | c: app=x,y", "app=x spread(1 host app=x,y)", "skew skew fits")
	f("a | b", x, "PreFilter skips")
	f("a | b", "app=x soft(1 host app=x)", "PreFilter skips")
}

func TestFewDomainsCountAsOneThatIsEmpty(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, pod, nodes, want)
	}
	hosts := "a: 2 app=x | b: 2 app=x | c: app=x"
	f(hosts, "app=x spread(2 host app=x)", "fits fits fits")
	f(hosts, "app=x spread(2 host app=x min=2)", "fits fits fits")
	f(hosts, "app=x spread(2 host app=x min=3)", "fits fits fits")
	f(hosts, "app=x spread(2 host app=x min=4)", "skew skew fits")
	zones := "a zone=z1: 2 app=x | b zone=z1 | c zone=z2: app=x | d zone=z2"
	f(zones, "app=x spread(2 zone app=x min=3)", "skew skew fits fits")
	f(zones, "app=x spread(2 zone app=x min=2)", "fits fits fits fits")
}

func TestPoliciesSayWhichNodesCount(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, pod, nodes, want)
	}
	// b and c are not for the pod, so that their domains do not count: 2 and 3 are left.
	chosen := "a foo=y: 2 app=x | b: app=x | c | d foo=y: 3 app=x"
	f(chosen, "app=x wants(foo=y) spread(1 host app=x)", "fits fits fits skew")
	f(chosen, "app=x wants(foo=y) spread(1 host app=x affinity=Ignore)", "skew skew fits skew")
	// A node that does not count is not rejected here; one without a label still is.
	f("a foo=y: app=x | b nohost", "app=x wants(foo=y) spread(1 host app=x)", "fits label")

	tainted := "a: app=x | b: app=x | c taint(k)"
	f(tainted, "app=x spread(1 host app=x)", "skew skew fits")
	f(tainted, "app=x spread(1 host app=x taints=Ignore)", "skew skew fits")
	f(tainted, "app=x spread(1 host app=x taints=Honor)", "fits fits fits")
	f(tainted, "app=x bears(k) spread(1 host app=x taints=Honor)", "skew skew fits")
	// Pods on nodes that do not count are not in the domain's sum.
	f("a zone=z1: app=x | b zone=z1 taint(k): 5 app=x | c zone=z2: app=x", "app=x spread(1 zone app=x taints=Honor)", "fits fits fits")
}

func TestEachConstraintMustHold(t *testing.T) {
	f := func(nodes, pod, want string) {
		t.Helper()
		expectVerdicts(t, pod, nodes, want)
	}
	const both = "app=x spread(1 zone app=x) spread(1 host app=x)"
	f("a zone=z1: 2 app=x | b zone=z1: app=x | x zone=z2 | y zone=z2: 3 app=x", both, "skew skew fits skew")
	f("a zone=z1: 2 app=x | b zone=z1: app=x | x zone=z2 | y zone=z2: 4 app=x", both, "skew skew skew skew")
	f("a zone=z1: app=x | b zone=z1 | c zone=z2: app=y; app=y | d zone=z2: app=y",
		"app=x spread(1 zone app=x) spread(1 host app=y)", "skew skew skew fits")
	f("a zone=z1: app=x | b zone=z1 | c zone=z2: app=y; app=y | d zone=z2: app=y",
		"app=x spread(1 zone app=x) spread(2 host app=y)", "skew skew fits fits")
	f("a: app=x | b: tier=t | c", "app=x tier=t spread(1 host app=x) spread(1 host tier=t)", "skew skew fits")
	// A node that lacks one key is out of all counts: z2 is no domain (B35).
	f("a zone=z1 rack=r1: app=x | b zone=z2", "app=x spread(1 zone app=x) spread(1 rack app=x)", "fits label")
	f("a zone=z1 rack=r1: 2 app=x | b zone=z2 rack=r2", "app=x spread(1 zone app=x) spread(1 rack app=x)", "skew fits")
}

func TestOwnLabelsNarrowTheSelector(t *testing.T) {
	hosts := "a: app=x v=1; app=x v=2 | b: app=x v=2"
	expectVerdicts(t, "app=x v=1 spread(1 host app=x)", hosts, "skew fits")
	expectVerdicts(t, "app=x v=1 spread(1 host app=x keys=v)", hosts, "skew fits")
	expectVerdicts(t, "app=x v=2 spread(1 host app=x keys=v)", hosts, "fits fits")
	expectVerdicts(t, "app=x v=3 spread(1 host app=x keys=v)", hosts, "fits fits")
	expectVerdicts(t, "app=x spread(1 host app=x keys=v)", hosts, "skew fits")   // a label that the pod lacks
	expectVerdicts(t, "app=x v=1 spread(1 host keys=v)", hosts, "fits fits")     // nothing stays nothing
	expectVerdicts(t, "app=x v=1 spread(1 host all keys=v)", hosts, "skew fits") // all become some
}

func TestPodsOfAWhatIfCount(t *testing.T) {
	f := func(nodes string, moves []sim.Move, want string) {
		t.Helper()
		pod := object.PodOf("app=x spread(1 host app=x)")
		if got := short(sim.VerdictsAfter(New(nil), pod, sim.WorldOf(sim.Sites(nodes)), moves...)); got != want {
			t.Errorf("%s after %v: %s, want %s", nodes, moves, got, want)
		}
	}
	add := func(node, pod string) sim.Move { return sim.Move{Node: node, Add: object.PodOf(pod)} }
	const hosts = "a: app=x | b: 2 app=x | c: app=x"
	f(hosts, nil, "fits skew fits")
	f(hosts, []sim.Move{add("a", "app=x")}, "skew skew fits") // the other one is the least now
	f(hosts, []sim.Move{add("a", "app=x"), add("c", "app=x")}, "fits fits fits")
	f(hosts, []sim.Move{add("a", "app=x in(other)")}, "fits skew fits")
	f(hosts, []sim.Move{add("a", "app=y")}, "fits skew fits")
	f(hosts, []sim.Move{add("a", "app=x deleting")}, "fits skew fits")
	f(hosts, []sim.Move{{Node: "b"}}, "fits fits fits")
	f(hosts, []sim.Move{{Node: "a"}}, "fits skew skew")
	f(hosts, []sim.Move{{Node: "b", Remove: 7}}, "fits skew fits") // nobody
}

func TestNoNodesAndUnreadableSelectors(t *testing.T) {
	expect := func(pod, want string) {
		t.Helper()
		got := sim.Verdicts(New(nil), object.PodOf(pod), sim.WorldOf(sim.Sites("a | b")))
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", pod, got, want)
		}
	}
	const bad = `values[0][app]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
		`and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`
	expect("spread(1 host app=-)", "PreFilter error: obtaining pod's hard topology spread constraints: "+bad)
	expect("soft(1 host app=-)", "PreFilter skips")
	_, _, err := sim.ScoresIn(New(nil), object.PodOf("soft(1 host app=-)"), sim.WorldOf(sim.Sites("a | b")))
	if want := "obtaining pod's soft topology spread constraints: " + bad; err == nil || err.Error() != want {
		t.Errorf("scores: %v, want %s", err, want)
	}
}

// listOf is the plugin of a profile whose default constraints are of words.
func listOf(words string) *PodTopologySpread {
	return New(&configv1.PodTopologySpreadArgs{
		DefaultingType:     configv1.ListDefaulting,
		DefaultConstraints: object.PodOf(words).Spec.TopologySpreadConstraints,
	})
}

func TestDefaultsOfAProfileKeepOff(t *testing.T) {
	list := listOf("spread(1 host) soft(1 zone)")
	f := func(pod, want string) {
		t.Helper()
		w := sim.WorldOf(sim.Sites("a: app=x | b"))
		w.Services = append(w.Services, service("s", "app=x"))
		if got := short(sim.Verdicts(list, object.PodOf(pod), w)); got != want {
			t.Errorf("%s: %s, want %s", pod, got, want)
		}
	}
	f("app=x", "skew fits")
	f("app=y", "PreFilter skips")                      // nobody is like it
	f("app=x in(other)", "PreFilter skips")            // the service is in another namespace
	f("app=x soft(1 zone app=x)", "PreFilter skips")   // any constraint of its own is instead of them
	f("app=x spread(2 host app=x)", "fits fits")       // so is this
	f("app=x tier=t of(ReplicaSet gone)", "skew fits") // an owner that is not there adds nothing
}

// Defaults have all that a constraint of a pod's own has, but for keys: those would narrow
// a selector that they have not.
func TestDefaultsOfAProfileAreWholeConstraints(t *testing.T) {
	f := func(defaults, nodes, pod, want string) {
		t.Helper()
		w := sim.WorldOf(sim.Sites(nodes))
		w.Services = append(w.Services, service("s", "app=x"))
		if got := short(sim.Verdicts(listOf(defaults), object.PodOf(pod), w)); got != want {
			t.Errorf("%s by %s on %s: %s, want %s", pod, defaults, nodes, got, want)
		}
	}
	zones := "a zone=z1: app=x | b zone=z2: app=x"
	f("spread(1 zone)", zones, "app=x", "fits fits")
	f("spread(1 zone min=3)", zones, "app=x", "skew skew")
	tainted := zones + " | c zone=z3 taint(k)"
	f("spread(1 zone)", tainted, "app=x", "skew skew fits")
	f("spread(1 zone taints=Honor)", tainted, "app=x", "fits fits fits")
	f("spread(1 zone taints=Honor)", tainted, "app=x bears(k)", "skew skew fits")
	elsewhere := "a zone=z1 disk=ssd: app=x | b zone=z2"
	f("spread(1 zone)", elsewhere, "app=x wants(disk=ssd)", "fits fits")
	f("spread(1 zone affinity=Ignore)", elsewhere, "app=x wants(disk=ssd)", "skew fits")
	f("spread(1 host keys=v)", "a: app=x v=2 | b", "app=x v=1", "skew fits")
}
