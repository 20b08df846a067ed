package nodeaffinity

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// plainPreference is the sum of the weights of the preferred terms that match, the
// pod's and the added ones.
func plainPreference(added *corev1.NodeAffinity) sim.Rate {
	score := func(a *corev1.NodeAffinity, node *corev1.Node) int64 {
		if a == nil {
			return 0
		}
		terms, err := nodeaffinity.NewPreferredSchedulingTerms(a.PreferredDuringSchedulingIgnoredDuringExecution)
		if err != nil {
			panic(err) // such a pod has no scores
		}
		return terms.Score(node)
	}
	return func(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) int64 {
		sum := score(added, node)
		if pod.Spec.Affinity != nil {
			sum += score(pod.Spec.Affinity.NodeAffinity, node)
		}
		return sum
	}
}

// plainShare is 100 for the most. Where nobody has any, all get 0.
func plainShare(raw []int64) []int64 {
	most := slices.Max(append(raw, 0))
	out := make([]int64, len(raw))
	for i, n := range raw {
		if most > 0 {
			out[i] = 100 * n / most
		}
	}
	return out
}

func TestScoresFollowThePlainDefinition(t *testing.T) {
	for _, added := range []*corev1.NodeAffinity{nil, preferred(3, in("disk", "ssd", "")), preferred(0, in("disk"))} {
		scorer := func() framework.Scorer { return with(added) }
		sim.JudgeScoreIn(t, 150, (*sim.Gen).Furnished, scorer, plainPreference(added), plainShare)
	}
}

// prefers is an affinity with preferred terms and their weights.
func prefers(terms ...corev1.PreferredSchedulingTerm) *corev1.NodeAffinity {
	return &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: terms}
}

func weighing(weight int32, term corev1.NodeSelectorTerm) corev1.PreferredSchedulingTerm {
	return corev1.PreferredSchedulingTerm{Weight: weight, Preference: term}
}

// labelled is nodes with the labels that each text lists, as in "x=1 y=2".
func labelled(nodes ...string) []sim.Site {
	var sites []sim.Site
	for i, text := range nodes {
		node := object.Node(string(rune('a' + i)))
		for _, pair := range strings.Fields(text) {
			key, value, _ := strings.Cut(pair, "=")
			node.Labels[key] = value
		}
		sites = append(sites, sim.Site{Node: node})
	}
	return sites
}

func TestWeightsOfTermsThatMatchAddUp(t *testing.T) {
	f := func(added, wanted *corev1.NodeAffinity, nodes []sim.Site, raw, normal []int64) {
		t.Helper()
		pod := affine(wanted)
		gotRaw, got, err := sim.Scores(with(added), pod, nodes...)
		if err != nil || !slices.Equal(gotRaw, raw) || !slices.Equal(got, normal) {
			t.Errorf("%s: scores %v and %v, %v, want %v and %v", sim.PodLine(pod), gotRaw, got, err, raw, normal)
		}
	}
	x, y, z := in("x", "1"), in("y", "1"), in("z", "1")
	three := prefers(weighing(2, where(x)), weighing(4, where(y)), weighing(5, where(x, y, z)))
	f(nil, three, labelled("x=1", "x=1 y=1 z=1", "y=1"), []int64{2, 11, 4}, []int64{18, 100, 36})
	f(nil, three, labelled("x=2", ""), []int64{0, 0}, []int64{0, 0})
	f(nil, nil, labelled("x=1", ""), []int64{0, 0}, []int64{0, 0})
	f(preferred(3, y), preferred(2, x), labelled("x=1", "y=1", "x=1 y=1"), []int64{2, 3, 5}, []int64{40, 60, 100})
	f(preferred(3, y), nil, labelled("x=1", "y=1"), []int64{0, 3}, []int64{0, 100})

	// A weight of 0 and an empty term weigh nothing, and a term of no weight is not read.
	f(nil, prefers(weighing(0, where(x)), weighing(9, where()), weighing(1, where(y))), labelled("x=1", "y=1"), []int64{0, 1}, []int64{0, 100})
	f(nil, preferred(0, in("x")), labelled("x=1", "y=1"), []int64{0, 0}, []int64{0, 0})
	f(nil, preferred(5, expr("x", corev1.NodeSelectorOpGt, "2")), labelled("x=3", "x=2", "x=x"), []int64{5, 0, 0}, []int64{100, 0, 0})
	f(nil, prefers(weighing(7, named("b"))), labelled("", ""), []int64{0, 7}, []int64{0, 100})
	f(nil, prefers(weighing(7, whose(expr("metadata.name", corev1.NodeSelectorOpNotIn, "b")))), labelled("", ""), []int64{7, 0}, []int64{100, 0})
}

func TestPreferredTermThatDoesNotParseIsAnError(t *testing.T) {
	f := func(term corev1.NodeSelectorTerm, want string) {
		t.Helper()
		_, _, err := sim.Scores(with(nil), affine(prefers(weighing(1, where(in("x", "1"))), weighing(1, term))), labelled("x=1", "")...)
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	f(where(in("x")), "[1].matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty")
	f(where(expr("x", "Near", "1")), `[1].matchExpressions[0].operator: Unsupported value: "Near": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"`)
	f(whose(in("metadata.name", "a", "b")), `[1].matchFields[0].values: Invalid value: ["a","b"]: must have one element`)
}

func TestNothingPreferredIsNotScored(t *testing.T) {
	f := func(added, wanted *corev1.NodeAffinity, skips bool) {
		t.Helper()
		specs := podspec.NewCompiler()
		c := (&sim.World{Nodes: []*corev1.Node{object.Node("a")}}).Load(specs)
		prep := with(added).PreScore(&framework.Cycle{View: &c.View, Pod: specs.Compile(affine(wanted))}, []int32{0})
		if prep.Skip != skips || prep.Err != nil {
			t.Errorf("%s: skips: %v, %v, want %v", sim.PodLine(affine(wanted)), prep.Skip, prep.Err, skips)
		}
	}
	f(nil, nil, true)
	f(nil, &corev1.NodeAffinity{}, true)
	f(required(where(in("x", "1"))), required(where(in("x", "1"))), true) // what is required does not score
	f(preferred(1, in("x", "1")), nil, false)
	f(nil, preferred(1, in("x", "1")), false)
	f(nil, preferred(0, in("x", "1")), false) // it is there, though it weighs nothing
}
