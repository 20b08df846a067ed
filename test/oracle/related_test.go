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
	const id, comes = "kept-away-node-hint", "{name: m, labels: {zone: y}}"
	expectHints(t, id, question, Skip, Queue, comes, "{name: n0, labels: {zone: z, disk: ssd}}, status: {allocatable: {pods: 9}}", Skip)

	there := strings.Replace(question, "nodes: [", "nodes: [{metadata: {name: m, labels: {zone: ''}}}, ", 1)
	leaves := strings.Replace(there, comes, "{name: m}", 1) // the zone without a name
	expectHints(t, id, leaves, Skip, Queue, "{name: m}", "{name: m, labels: {zone: '', disk: ssd}}", Skip)
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

func TestNodeOfTheLastPartnerFreesTheFirst(t *testing.T) {
	const question = `
nodes: [{metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}, {metadata: {name: n1, labels: {zone: y}}, spec: {unschedulable: true}}]
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n1}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x}}, spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: zone, labelSelector: {matchLabels: {app: x}}}]}}}}
events: [{node: {metadata: {name: n1}, spec: {unschedulable: true}}}]`
	const id, itself, other = "first-of-group-hint", "uid: p, labels: {app: x}", "uid: p, labels: {app: y}"
	expectHints(t, id, question, Skip, Queue, itself, other, Skip)
	gone := strings.Replace(question, "{node: {metadata: {name: n1}, spec: {unschedulable: true}}}", "{nodeGone: n1}", 1)
	r := ask(t, 0, gone)
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != isWoken || r.Excused[id] == 0 {
		t.Errorf("without the node upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(gone, itself, other, 1))
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != stays || len(r.Excused) > 0 {
		t.Errorf("one of another group: upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
}

func TestNodeThatGoesWakesWhoWasKeptAway(t *testing.T) {
	const question = `
nodes: [{metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}, {metadata: {name: n1, labels: {zone: z}}, status: {allocatable: {pods: 9}}}]
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n0, BOUND}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: y}}, spec: {PENDING}}
events: [{nodeGone: n0}]`
	away := func(app string) string {
		return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: " + app + "}}}]}}"
	}
	f := func(bound, pending string) {
		t.Helper()
		r := ask(t, 0, strings.NewReplacer("BOUND", bound, "PENDING", pending).Replace(question))
		if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != isWoken || r.Excused["node-gone-hint"] == 0 {
			t.Errorf("%s beside %s: upstream's pod %s, ours %s, excused as %v", pending, bound, up, our, r.Excused)
		}
	}
	f("hostNetwork: false", away("x"))
	f(away("y"), "hostNetwork: false")
}

func TestNodeThatIsSelectedNoMoreWakes(t *testing.T) {
	const question = `
nodes:
- {metadata: {name: n0, labels: {zone: z, disk: ssd}}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n1, labels: {zone: y, disk: ssd}}, spec: {unschedulable: true}}
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n0}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x}}, spec: {nodeSelector: {disk: ssd}, topologySpreadConstraints: [
  {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}}]}}
events: [{node: {metadata: {name: n1, labels: {zone: y, disk: hdd}}, spec: {unschedulable: true}}}]`
	f := func(disk string, our Wake, excused bool) {
		t.Helper()
		r := ask(t, 0, strings.Replace(question, "disk: hdd", disk, 1))
		up, we := hints(r, podSpread)
		if up != Skip || we != our || r.Excused["spread-area-hint"] > 0 != excused {
			t.Errorf("%s: upstream says %s, we say %s, want %s; excused as %v", disk, up, we, our, r.Excused)
		}
	}
	f("disk: hdd", Queue, true)
	f("disk: ssd, a: b", Skip, false)
}

func TestPodOfNoServiceAnyMoreWakes(t *testing.T) {
	const question = `
profile: related
services: [{metadata: {name: s, namespace: default}, spec: {selector: {app: x}}}]
nodes:
- {metadata: {name: n0, labels: {kubernetes.io/hostname: n0}}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}, spec: {unschedulable: true}}
bound:
- {metadata: {name: o, namespace: default, uid: o, labels: {app: x}}, spec: {nodeName: n0}}
- {metadata: {name: m, namespace: default, uid: m, labels: {app: x}}, spec: {nodeName: n0}}
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x}}}
events: [{pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: LABEL}}}}]`
	r := ask(t, 0, strings.Replace(question, "LABEL", "y", 1))
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != isWoken || r.Excused["default-spread-hint"] == 0 {
		t.Errorf("upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
	r = ask(t, 0, strings.Replace(question, "LABEL", "x", 1))
	if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != stays || len(r.Excused) > 0 {
		t.Errorf("with the same labels upstream's pod %s, ours %s, excused as %v", up, our, r.Excused)
	}
}

func TestPodWithOtherMatchLabelKeysWakes(t *testing.T) {
	const question = `
nodes:
- {metadata: {name: n0, labels: {zone: z}}, status: {allocatable: {pods: 9}}}
- {metadata: {name: n1, labels: {zone: y}}, spec: {unschedulable: true}}
bound: [{metadata: {name: o, namespace: default, uid: o, labels: {app: x, v: "1"}}, spec: {nodeName: n0}}]
pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x, v: "1"}}, spec: &spec {topologySpreadConstraints: [
  {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}, matchLabelKeys: [v]}]}}
events: [{pod: {metadata: {name: p, namespace: default, uid: p, labels: {app: x, LABELS}}, spec: *spec}}]`
	f := func(labels, ours string, excused bool) {
		t.Helper()
		r := ask(t, 0, strings.Replace(question, "LABELS", labels, 1))
		if up, our := r.Upstream.Woken[0], r.Ours.Woken[0]; up != stays || our != ours || r.Excused["match-label-keys-hint"] > 0 != excused {
			t.Errorf("%s: upstream's pod %s, ours %s, want %s; excused as %v", labels, up, our, ours, r.Excused)
		}
	}
	f(`tier: t`, isWoken, true)
	f(`v: "1", tier: t`, stays, false)
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
