package nodeaffinity

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// prepared tells what PreFilter says on a cluster with nodes a, b and c: "skip", "all",
// "names" and which, or "reject" and why.
func prepared(plugin *NodeAffinity, pod *corev1.Pod) string {
	specs := podspec.NewCompiler()
	c := (&sim.World{Nodes: []*corev1.Node{object.Node("a"), object.Node("b"), object.Node("c")}}).Load(specs)
	prep := plugin.PreFilter(&framework.Cycle{View: &c.View, Try: c.Try(), Pod: specs.Compile(pod)})
	switch {
	case prep.Err != nil:
		return "error " + prep.Err.Error()
	case prep.Reject != nil:
		return "reject " + prep.Reject.Code.String() + " " + strings.Join(prep.Reject.Reasons, ", ")
	case prep.Skip:
		return "skip"
	case prep.Names == nil:
		return "all"
	}
	return "names " + strings.Join(prep.Names, " ")
}

func TestPodThatSelectsNothingIsSkipped(t *testing.T) {
	f := func(plugin *NodeAffinity, pod *corev1.Pod, want string) {
		t.Helper()
		if got := prepared(plugin, pod); got != want {
			t.Errorf("%s: %s, want %s", sim.PodLine(pod), got, want)
		}
	}
	none, empty := with(nil), object.Pod("p")
	empty.Spec.NodeSelector = map[string]string{}
	f(none, object.Pod("p"), "skip")
	f(none, affine(nil), "skip")
	f(none, affine(&corev1.NodeAffinity{}), "skip")
	f(none, affine(preferred(1, in("x", "y"))), "skip")
	f(none, empty, "all") // an empty selector is a selector
	f(none, object.Pod("p", object.NodeSelector("x", "y")), "all")
	f(none, affine(required()), "all")

	f(with(required(where(in("x", "y")))), object.Pod("p"), "all")
	f(with(preferred(1, in("x", "y"))), object.Pod("p"), "skip") // nothing required is added
}

func preferred(weight int32, expressions ...corev1.NodeSelectorRequirement) *corev1.NodeAffinity {
	return &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
		{Weight: weight, Preference: where(expressions...)},
	}}
}

func TestTermsThatAllNameNodesLeaveThoseNodes(t *testing.T) {
	const conflict = "reject UnschedulableAndUnresolvable pod affinity terms conflict"
	f := func(want string, terms ...corev1.NodeSelectorTerm) {
		t.Helper()
		if got := prepared(with(nil), affine(required(terms...))); got != want {
			t.Errorf("%s: %s, want %s", sim.PodLine(affine(required(terms...))), got, want)
		}
	}
	name := func(values ...string) corev1.NodeSelectorRequirement { return in(metav1.ObjectNameField, values...) }
	not := expr(metav1.ObjectNameField, corev1.NodeSelectorOpNotIn, "a")
	f("names b", named("b"))
	f("names b a", named("b"), named("a"))
	f("names b", named("b"), named("b"))
	f("names b gone", named("b"), named("gone"))
	f("names b", whose(name("b"), name("b")))
	f("names b", whose(name("b"), not))
	f("names a", whose(name("a"), not)) // the filter refuses it
	f("names a c", whose(name("a", "c")))
	f("names c", whose(name("a", "c"), name("c", "b")))
	f("names b", whose(name("a"), name("c")), named("b")) // one term cannot hold, the other can
	f("names c", corev1.NodeSelectorTerm{MatchFields: named("c").MatchFields, MatchExpressions: []corev1.NodeSelectorRequirement{in("x", "y")}})

	f("all", named("b"), where(in("x", "y"))) // the second may hold anywhere
	f("all", named("b"), where())
	f("all", whose(not))
	f("all", whose(in("metadata.namespace", "b")))
	f("all")

	f(conflict, whose(name("a"), name("b")))
	f(conflict, whose(name("a"), name("b")), whose(name("b"), name("c")))
	f(conflict, whose(name()))
}

func TestFailureTellsOfNodesThatAreNotNamed(t *testing.T) {
	nodes := []*corev1.Node{object.Node("a", object.Label("x", "z")), object.Node("b"), object.Node("c")}
	f := func(want string, terms ...corev1.NodeSelectorTerm) {
		t.Helper()
		got, by, err := sim.Refusal(with(nil), affine(required(terms...)), nodes...)
		if err != nil || got != want || !slices.Equal(by, []string{Name}) {
			t.Errorf("got  %s, by %v, %v\nwant %s", got, by, err, want)
		}
	}
	a := named("a")
	a.MatchExpressions = append(a.MatchExpressions, in("x", "y"))
	const unnamed, unmatched = "node(s) didn't satisfy plugin(s) [NodeAffinity].", "node(s) didn't match Pod's node affinity/selector"
	f("0/3 nodes are available: 1 "+unmatched+", 2 "+unnamed, a)
	f("0/3 nodes are available: 1 "+unmatched+", 2 "+unnamed, a, named("gone"))
	f("0/3 nodes are available: 3 "+unnamed, named("gone"))
	f("0/3 nodes are available: 3 "+unnamed, named("gone"), named("lost"))
	f("0/3 nodes are available: 3 "+unmatched+".", where(in("x", "y")), named("gone"))
	f("0/3 nodes are available: pod affinity terms conflict.", whose(in(metav1.ObjectNameField, "a"), in(metav1.ObjectNameField, "b")))
}

func TestTermsThatDoNotParseRefuseWithoutAnError(t *testing.T) {
	nodes := []*corev1.Node{object.Node("a", object.Label("gen", "500")), object.Node("b", object.Label("gen", "500m")), object.Node("c")}
	for _, terms := range []*corev1.NodeAffinity{
		required(where(expr("gen", corev1.NodeSelectorOpGt, "150.1"))), required(where()), required(),
	} {
		got, _, err := sim.Refusal(with(nil), affine(terms), nodes...)
		if want := "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector."; err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", sim.PodLine(affine(terms)), got, err, want)
		}
	}
}
