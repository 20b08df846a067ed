package oracle

import (
	"slices"
	"strings"
	"testing"
)

// hints returns what both sides say of the first event for a plugin.
func hints(r *Result, plugin string) (up, our Wake) {
	find := func(a *Answer) Wake {
		i := slices.IndexFunc(a.Hints, func(h Hint) bool { return h.Plugin == plugin })
		if i < 0 {
			return ""
		}
		return a.Hints[i].Wake
	}
	return find(r.Upstream), find(r.Ours)
}

// expectHints asks a question, and the same with one word replaced, which both sides
// answer alike.
func expectHints(t *testing.T, id, question string, up, our Wake, word, other string, both Wake) {
	t.Helper()
	r := ask(t, 0, question)
	if u, o := hints(r, podAffinity); u != up || o != our || r.Excused[id] == 0 {
		t.Errorf("upstream says %q, want %q; we say %q, want %q; excused as %v", u, up, o, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(question, word, other, 1))
	if u, o := hints(r, podAffinity); u != both || o != both || r.Excused[id] > 0 {
		t.Errorf("%s for %s: upstream says %q, we say %q, want %q; excused as %v", other, word, u, o, both, r.Excused)
	}
}

func TestNamespaceLabelsDecideWhoWakes(t *testing.T) {
	const question = `
namespaces: [{metadata: {name: other, labels: {team: a}}}]
nodes: [{metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}]
pod: {metadata: {name: p, namespace: default, uid: p}, spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: zone, labelSelector: {}, namespaceSelector: {matchLabels: {team: a}}}]}}}}
events: [{pod: {metadata: {name: o, namespace: other, uid: o}, spec: {nodeName: n0}}}]`
	expectHints(t, "affinity-namespaces-hint", question, Skip, Queue, "namespaceSelector: {matchLabels: {team: a}}", "namespaces: [other]", Queue)
}

func TestNodeWakesWhoIsKeptAway(t *testing.T) {
	const question = `
nodes: [{metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}]
bound: [{metadata: {name: o, namespace: default, uid: o}, spec: {nodeName: n0, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: zone, labelSelector: {}}]}}}}]
pod: {metadata: {name: p, namespace: default, uid: p}}
events: [{node: {metadata: {name: m, labels: {zone: y}}}}]`
	expectHints(t, "kept-away-node-hint", question, Skip, Queue, "{name: m, labels: {zone: y}}", "{name: n0, labels: {zone: z, disk: ssd}}, status: {allocatable: {pods: 9}}", Skip)
}

func TestPodBecomesTheFirstOfItsGroup(t *testing.T) {
	const question = `
nodes: [{metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}, {metadata: {name: n1, labels: {zone: y}}, spec: {unschedulable: true}}]
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n1}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x}}, spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: zone, labelSelector: {matchLabels: {app: x}}}]}}}}
events: [{podGone: o}]`
	expectHints(t, "first-of-group-hint", question, Skip, Queue, "uid: p, labels: {app: x}", "uid: p, labels: {app: y}", Skip)
}

func TestNominatedPodsCountAsOthersDo(t *testing.T) {
	const question = `
nodes:
- {metadata: {name: n0, labels: {host: n0}}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n1, labels: {host: n1}}, status: {allocatable: {pods: 9}}}
nominated: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, status: {nominatedNodeName: n0}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x}}, spec: {topologySpreadConstraints: [
  {maxSkew: 1, topologyKey: host, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}]}}`
	r := ask(t, 0, question)
	if up, our := r.Upstream.Found, r.Ours.Found; len(up) != 1 || len(our) != 2 || r.Excused["spread-counts-nominated"] == 0 {
		t.Errorf("with an empty selector upstream finds %v, we find %v, excused as %v", up, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(question, "labelSelector: {}", "labelSelector: {matchLabels: {app: x}}", 1))
	if up, our := r.Upstream.Found, r.Ours.Found; len(up) != 1 || len(our) != 1 || len(r.Excused) > 0 {
		t.Errorf("with a selector upstream finds %v, we find %v, excused as %v", up, our, r.Excused)
	}
}

func TestPodThatOneTermMeansNoMoreWakes(t *testing.T) {
	const question = `
nodes: [{metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}]
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n0}}]
pod: {metadata: {name: p, namespace: default, uid: p}, spec: {affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: host, labelSelector: {}}, {topologyKey: zone, labelSelector: {matchLabels: {app: x}}}]}}}}
events: [{pod: {metadata: {name: o, namespace: default, uid: o, labels: {app: LABEL}}, spec: {nodeName: n0}}}]`
	expectHints(t, "each-anti-term-hint", strings.Replace(question, "LABEL", "y", 1), Skip, Queue, "labels: {app: y}", "labels: {app: x, a: b}", Skip)
}

func TestPodThatBeginsToTerminateWakes(t *testing.T) {
	const question = `
nodes:
- {metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n1, labels: {zone: y}}, spec: {unschedulable: true}}
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n0}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x}}, spec: {topologySpreadConstraints: [
  {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}}]}}
events: [{pod: {metadata: {name: o, namespace: default, uid: o, labels: {app: x}, deletionTimestamp: "2026-01-01T00:00:00Z"}, spec: {nodeName: n0}}}]`
	r := ask(t, 0, question)
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != isWoken || r.Excused["terminating-pod-hint"] == 0 {
		t.Errorf("upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(question, `, deletionTimestamp: "2026-01-01T00:00:00Z"`, "", 1))
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != stays || len(r.Excused) > 0 {
		t.Errorf("of a pod that stays upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
}
