package workload

import (
	"slices"
	"strings"
	"testing"
)

func TestNeedsNameThePluginsOfAWorkload(t *testing.T) {
	s := mustBuiltIn(t)
	f := func(name string, want ...string) {
		t.Helper()
		if got := s.Needs(name); !slices.Equal(got, want) {
			t.Errorf("%s needs %v, want %v", name, got, want)
		}
	}
	f("B1", "NodeResourcesFit")
	f("NA", "NodeAffinity", "NodeResourcesFit")
	f("U1", "NodeResourcesFit")
	f("HP", "NodePorts", "NodeResourcesFit")
	f("TS", "NodeResourcesFit", "PodTopologySpread")
	f("DTS", "NodeResourcesFit", "PodTopologySpread") // for the Service
	f("PA", "InterPodAffinity", "NodeResourcesFit")
	f("AA", "InterPodAffinity", "NodeResourcesFit")
}

func TestFormulasAreComputed(t *testing.T) {
	f := func(text string, i int, want string) {
		t.Helper()
		if got, err := expand(text, "n7", i); err != nil || got != want {
			t.Errorf("%q at %d: got %q, %v, want %q", text, i, got, err, want)
		}
	}
	f("plain", 4, "plain")
	f("$name", 4, "n7")
	f("{{i}}", 4, "4")
	f("moon-{{i mod 3 + 1}}", 4, "moon-2")
	f("{{i mod 3}}-{{i + 10}}Ki", 4, "1-14Ki")
	if got, err := expand("{{i * 2}}", "", 4); err == nil {
		t.Errorf("got %q for a formula that is none, want an error", got)
	}
}

func TestMistakesInTheFileAreNamed(t *testing.T) {
	f := func(file, want string) {
		t.Helper()
		if _, err := Parse([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v, want an error with %q", file, err, want)
		}
	}
	types := "nodeTypes: {small: {cpu: '1', mem: 1Gi, pods: 10}}\npodTypes: {p: {req: {cpu: 100m}}, bad: {req: {cpu: much}}}\n"
	f("nodeTypes: {small: {gpu: 1}}", "unknown field")
	f("nodeTypes: {a: {base: b}, b: {base: a}}", "go in a circle")
	f("podTypes: {a: {base: b}}", `there is no "b"`)
	f(types+"workloads: {W: [{pods: p, count: 1, measure: true}]}", "nodes come first")
	f(types+"workloads: {W: [{nodes: m, count: 1}]}", "nodes of a known type")
	f(types+"workloads: {W: [{nodes: small, count: 1}]}", "has to be measured")
	f(types+"workloads: {W: []}", "has to be measured")
	f(types+"workloads: {W: [{nodes: small, count: 1}, {pods: q, count: 1, measure: true}]}", "pods of a known type")
	f(types+"workloads: {W: [{nodes: small, count: 1}, {pods: p, count: 1}]}", "either bound or measured")
	f(types+"workloads: {W: [{nodes: small, count: 1}, {pods: p, count: 1, bound: anywhere}]}", `no place "anywhere"`)
	f(types+"workloads: {W: [{nodes: small, count: 1}, {pods: bad, count: 1, measure: true}]}", `"much"`)
}

func TestUnknownWorkloadIsAnError(t *testing.T) {
	s := mustBuiltIn(t)
	if _, err := s.Build("B9", 1, 1); err == nil || !strings.Contains(err.Error(), `no workload "B9"`) {
		t.Errorf("got %v, want an error that names B9", err)
	}
	if _, err := s.FullPods("B9", 1); err == nil {
		t.Error("got no error for B9")
	}
	if _, err := s.Build("AA", 5, 1); err != nil {
		t.Errorf("got %v, want one bound pod on five nodes", err)
	}
}
