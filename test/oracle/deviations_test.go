package oracle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"
)

// ask asks a question written as YAML.
func ask(t *testing.T, draw uint64, text string) *Result {
	t.Helper()
	q, err := ParseQuestion([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := mustOracle(t).Ask(q, draw)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Unexplained {
		t.Errorf("not explained: %v", d)
	}
	return r
}

// askOnNode asks about pod p on node n0.
func askOnNode(t *testing.T, allocatable, requests string) *Result {
	t.Helper()
	return ask(t, 0, `
nodes: [{metadata: {name: n0}, status: {allocatable: {`+allocatable+`, pods: 9}}}]
pod: {metadata: {name: p, uid: p}, spec: {containers: [{name: c, resources: {requests: {`+requests+`}}}]}}`)
}

func TestSumsSaturate(t *testing.T) {
	r := askOnNode(t, "memory: 8Gi", "memory: 50E")
	if up := r.Upstream.Found; !slices.Equal(up, []string{"n0"}) {
		t.Errorf("upstream finds %v, so it counts 50E as something", up)
	}
	if our := r.Ours.Nodes["n0"].String(); our != "NodeResourcesFit: UnschedulableAndUnresolvable: Insufficient memory" {
		t.Errorf("we say %s", our)
	}
	if r.Excused["saturating-sums"] == 0 {
		t.Errorf("excused as %v", r.Excused)
	}
	if r := askOnNode(t, "memory: 8Gi", "memory: 8Gi"); len(r.Excused) > 0 {
		t.Errorf("sums that fit are excused as %v", r.Excused)
	}
}

func TestScoresStayInRange(t *testing.T) {
	const two = `
nodes:
- {metadata: {name: n0}, status: {allocatable: {memory: 100Pi, pods: 9}}}
- {metadata: {name: n1}, status: {allocatable: {memory: 100Gi, pods: 9}}}
pod: {metadata: {name: p, uid: p}}`
	r := ask(t, 0, two)
	if !strings.Contains(r.Upstream.Failed, "invalid score") || r.Ours.Failed != "" || r.Ours.Chosen == "" {
		t.Errorf("upstream fails with %q; we fail with %q and choose %q", r.Upstream.Failed, r.Ours.Failed, r.Ours.Chosen)
	}
	if r.Excused["scores-in-range"] == 0 {
		t.Errorf("excused as %v", r.Excused)
	}
	if r := ask(t, 0, strings.Replace(two, "100Pi", "10Pi", 1)); r.Excused["scores-in-range"] > 0 || r.Upstream.Failed != "" {
		t.Errorf("scores in range are excused as %v, upstream fails with %q", r.Excused, r.Upstream.Failed)
	}
}

func TestTiesAreDrawn(t *testing.T) {
	const equal = `
nodes:
- {metadata: {name: n0}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n1}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n2}, status: {allocatable: {pods: 9}}}
pod: {metadata: {name: p, uid: p}}`
	chosen := map[string]bool{}
	excused := 0
	for i := range uint64(3) {
		r := ask(t, i*0x5555555555555556, equal) // thirds of 2^64
		chosen[r.Ours.Chosen] = true
		excused += r.Excused["ties-drawn"]
	}
	if len(chosen) != 3 || excused != 2 {
		t.Errorf("three draws choose %v, with %d excused", slices.Sorted(maps.Keys(chosen)), excused)
	}
}

func TestIgnoredResourcesDoNotKeepNodesFromWaking(t *testing.T) {
	const question = `
profile: PROFILE
nodes: [{metadata: {name: n0}}]
pod: {metadata: {name: p, uid: p}, spec: {containers: [{name: c, resources: {requests: {example.com/gpu: 1, memory: 1Gi}}}]}}
events: [{node: {metadata: {name: m}, status: {allocatable: {memory: 8Gi, pods: 9}}}}]`
	hint := func(a *Answer) Wake {
		i := slices.IndexFunc(a.Hints, func(h Hint) bool { return h.Plugin == fit })
		return a.Hints[i].Wake
	}
	r := ask(t, 0, strings.Replace(question, "PROFILE", "ignored", 1))
	if up, our := hint(r.Upstream), hint(r.Ours); up != Skip || our != Queue || r.Excused["ignored-resources-hint"] == 0 {
		t.Errorf("with the resource ignored upstream says %s, we say %s, excused as %v", up, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(question, "PROFILE", `""`, 1))
	if up, our := hint(r.Upstream), hint(r.Ours); up != Skip || our != Skip {
		t.Errorf("by default upstream says %s, we say %s", up, our)
	}
}

func TestNodeThatTheAddedAffinityWantsNowWakes(t *testing.T) {
	const question = `
profile: added
nodes: [{metadata: {name: n0, labels: {topology.kubernetes.io/zone: z3}}}]
pod: {metadata: {name: p, uid: p}}
events: [{node: {metadata: {name: n0, labels: {topology.kubernetes.io/zone: ZONE}}}}]` // z1, z2 or none are wanted
	r := ask(t, 0, strings.Replace(question, "ZONE", "z1", 1))
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != isWoken || r.Excused["added-affinity-hint"] == 0 {
		t.Errorf("of a node that is wanted upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(question, "ZONE", "z4", 1))
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != stays || len(r.Excused) > 0 {
		t.Errorf("of a node that is not upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
}

func TestAmountsThatAreNotCountedAreNoChangeOfSize(t *testing.T) {
	const question = `
nodes: [{metadata: {name: n0}}]
pod: {metadata: {name: p, uid: p}, spec: {containers: [{name: c, resources: {requests: {memory: "WAS"}}}]}}
events: [{pod: {metadata: {name: p, uid: p}, spec: {containers: [{name: c, resources: {requests: {NOW}}}]}}}]`
	f := func(was, now, upstream, ours string, excused bool) {
		t.Helper()
		r := ask(t, 0, strings.NewReplacer("WAS", was, "NOW", now).Replace(question))
		if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != upstream || our != ours || (r.Excused["uncounted-amounts"] > 0) != excused {
			t.Errorf("%s becomes {%s}: upstream's pod %s, want %s; ours %s, want %s; excused as %v", was, now, up, upstream, our, ours, r.Excused)
		}
	}
	f("0", "", isWoken, stays, true)
	f("1", "", isWoken, isWoken, false)
	f("1500m", "memory: 1100m", isWoken, stays, true) // both are 2
	f("2", "memory: 1100m", isWoken, stays, true)
	f("1500m", "memory: 900m", isWoken, isWoken, false)
}

func TestEachDeviationHasAPredicateAndATest(t *testing.T) {
	tests := testNames(t)
	list, err := Deviations()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.ID == "" || d.What == "" || d.Why == "" || d.Scope == "" {
			t.Errorf("deviation %q is not filled in", d.ID)
		}
		if predicates[d.ID] == nil {
			t.Errorf("deviation %q has no predicate", d.ID)
		}
		if !tests[d.Test] {
			t.Errorf("deviation %q names %s, which is no test here", d.ID, d.Test)
		}
	}
	if len(list) != len(predicates) {
		t.Errorf("%d deviations and %d predicates", len(list), len(predicates))
	}
}

// testNames finds the tests of this package.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}

func TestExcusesAreNarrow(t *testing.T) {
	q, err := ParseQuestion([]byte(`
nodes: [{metadata: {name: n0}, status: {allocatable: {memory: 8Gi, pods: 9}}}]
pod: {metadata: {name: p, uid: p}, spec: {containers: [{name: c, resources: {requests: {memory: 50E}}}]}}
events: [{node: {metadata: {name: m}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	answer := func(r Refusal) *Answer { return &Answer{Nodes: map[string]Refusal{"n0": r}} }
	f := func(up, our Refusal, want string) {
		t.Helper()
		d := Difference{Kind: OneNode, Node: "n0", up: answer(up), our: answer(our)}
		if got := excuse(q, d); got != want {
			t.Errorf("upstream %v, ours %v: excused as %q, want %q", up, our, got, want)
		}
	}
	memory := refusal(fit, fwk.Unschedulable, []string{"Insufficient memory"})
	both := refusal(fit, fwk.Unschedulable, []string{"Insufficient memory", "Insufficient cpu"})
	f(Refusal{}, memory, "saturating-sums")
	f(memory, Refusal{}, "saturating-sums")
	f(memory, refusal(fit, fwk.UnschedulableAndUnresolvable, []string{"Insufficient memory"}), "saturating-sums")
	f(refusal(fit, fwk.Unschedulable, []string{"Insufficient cpu"}), refusal(fit, fwk.UnschedulableAndUnresolvable, []string{"Insufficient cpu"}), "")
	f(memory, both, "") // nothing is wrong with the CPU
	f(Refusal{}, both, "")
	f(memory, refusal("NodePorts", fwk.Unschedulable, []string{"Insufficient memory"}), "")
	f(Refusal{}, refusal(fit, fwk.Unschedulable, []string{"Too many pods"}), "")
}
