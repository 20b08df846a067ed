package podspec_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// compile compiles a pod written as YAML. The text of its vectors comes with it.
func compile(t *testing.T, text string) (*podspec.Pod, func(podspec.Vector) string) {
	t.Helper()
	return compileWith(t, podspec.NewCompiler(), text)
}

func compileWith(t *testing.T, c *podspec.Compiler, text string) (*podspec.Pod, func(podspec.Vector) string) {
	t.Helper()
	var p corev1.Pod
	if err := yaml.UnmarshalStrict([]byte(text), &p); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return c.Compile(&p), func(v podspec.Vector) string {
		words := make([]string, len(v))
		for i, a := range v {
			words[i] = fmt.Sprintf("%s:%d", c.Resources.Name(a.Col), a.Value)
		}
		return strings.Join(words, " ")
	}
}

func TestCompileReadsWhoThePodIs(t *testing.T) {
	p, _ := compile(t, `
metadata: {namespace: ns, name: p, uid: u1, deletionTimestamp: "2026-01-01T00:00:00Z"}
spec:
  schedulerName: berth
  priority: 7
  nodeName: n1
  schedulingGates: [{name: b}, {name: a}]
status: {nominatedNodeName: n2}
`)
	got := fmt.Sprintf("%v %s %s %d %s %s %v %v", p.Ref, p.UID, p.Scheduler, p.Priority, p.NodeName, p.Nominated, p.Gates, p.Deleting)
	if want := "ns/p u1 berth 7 n1 n2 [b a] true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if p, _ := compile(t, `{metadata: {name: p}}`); p.Priority != 0 || p.Deleting || len(p.Gates) != 0 || p.NodeName != "" {
		t.Errorf("an empty pod compiles to %+v", p)
	}
}

func TestCompileSortsTolerationsByUse(t *testing.T) {
	p, _ := compile(t, `
spec:
  tolerations:
  - {key: all, operator: Exists}
  - {key: hard, operator: Exists, effect: NoSchedule}
  - {key: soft, operator: Exists, effect: PreferNoSchedule}
  - {key: evict, operator: Exists, effect: NoExecute}
`)
	var soft []string
	for _, t := range p.PreferTolerations {
		soft = append(soft, t.Key)
	}
	if got := strings.Join(soft, " "); got != "all soft" || len(p.Tolerations) != 4 {
		t.Errorf("%d tolerations, of which %s may tolerate a soft taint, want 4 and all soft", len(p.Tolerations), got)
	}
}

func TestCompileTellsWhoKeepsOthersAway(t *testing.T) {
	f := func(affinity string, want bool) {
		t.Helper()
		p, _ := compile(t, "spec: {affinity: "+affinity+"}")
		if got := p.Affinity != nil && len(p.Affinity.Anti) > 0; got != want {
			t.Errorf("%s keeps others away: %v, want %v", affinity, got, want)
		}
	}
	f(`{}`, false)
	f(`{podAntiAffinity: {}}`, false)
	f(`{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: []}}`, false)
	f(`{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}]}}`, true)
	f(`{podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone}}]}}`, false)
	f(`{podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}]}}`, false)
}
