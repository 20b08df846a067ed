package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func mustBuiltIn(t *testing.T) *Set {
	t.Helper()
	s, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustBuild(t *testing.T, name string, nodes, pods int) *Objects {
	t.Helper()
	objects, err := mustBuiltIn(t).Build(name, nodes, pods)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// expectYAML compares a part of an object with what is written for it.
func expectYAML[T any](t *testing.T, got T, want string) {
	t.Helper()
	var wanted T
	if err := yaml.UnmarshalStrict([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTypesTakeOverFromTheirBase(t *testing.T) {
	expectYAML(t, *mustBuild(t, "TS", 3, 1).Nodes[1], `
metadata: {name: node-00001, labels: {kubernetes.io/hostname: node-00001, topology.kubernetes.io/zone: moon-2}}
status:
  capacity:    {cpu: "4", memory: 32Gi, pods: "110"}
  allocatable: {cpu: "4", memory: 32Gi, pods: "110"}
  conditions: [{type: Ready, status: "True"}]
`)
	expectYAML(t, *mustBuild(t, "NA", 5, 1).Pending[0], `
metadata: {name: pod-00005, namespace: default}
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [zone1, zone2]}]}]
  containers:
  - name: c
    image: x
    ports: [{containerPort: 80, protocol: TCP}]
    resources: {requests: {cpu: 100m, memory: 500Mi}, limits: {cpu: 100m, memory: 500Mi}}
`)
}

func TestPodsCarryTheirRules(t *testing.T) {
	expectYAML(t, mustBuild(t, "HP", 2, 2).Pending[1].Spec.Containers[0].Ports,
		`[{containerPort: 80, hostPort: 80, protocol: TCP}]`)
	expectYAML(t, mustBuild(t, "TS", 5, 1).Pending[0].Spec.TopologySpreadConstraints, `
- {maxSkew: 5, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {color: blue}}}`)
	term := `{topologyKey: %, labelSelector: {matchLabels: {color: #}}, namespaces: [sched-0, sched-1]}`
	with := func(key, color string) string {
		return strings.NewReplacer("%", key, "#", color).Replace("[" + term + "]")
	}
	expectYAML(t, mustBuild(t, "AA", 5, 1).Pending[0].Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution,
		with(corev1.LabelHostname, "green"))
	expectYAML(t, mustBuild(t, "PA", 5, 1).Bound[0].Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution,
		with(corev1.LabelTopologyZone, "blue"))
}

func TestNamespacesAndServicesAreMade(t *testing.T) {
	objects := mustBuild(t, "DTS", 5, 2)
	if len(objects.Namespaces) != 1 || objects.Namespaces[0].Name != "svc" {
		t.Errorf("got namespaces %v, want svc once", objects.Namespaces)
	}
	expectYAML(t, *objects.Services[0], `
metadata: {name: service, namespace: svc}
spec: {selector: {app: scheduler-perf}, ports: [{port: 80}]}`)
	if pod := objects.Pending[0]; pod.Namespace != "svc" || pod.Spec.Containers[0].Resources.Requests != nil {
		t.Errorf("got pod %v, want one in svc without requests", pod)
	}
}

func TestNumbersScaleWithTheNodes(t *testing.T) {
	s := mustBuiltIn(t)
	f := func(name string, nodes, wantPods, wantBound int) {
		t.Helper()
		pods, err := s.FullPods(name, nodes)
		if err != nil || pods != wantPods {
			t.Errorf("%s at %d nodes: got %d pods, %v, want %d", name, nodes, pods, err, wantPods)
		}
		if got := len(mustBuild(t, name, nodes, 0).Bound); got != wantBound {
			t.Errorf("%s at %d nodes: got %d bound pods, want %d", name, nodes, got, wantBound)
		}
	}
	f("B1", 5000, 10000, 1000)
	f("B1", 1000, 2000, 200)
	f("B1", 15000, 30000, 3000)
	f("NA", 200, 400, 200)
	f("HP", 5000, 5000, 0) // its full size is 20000 nodes
	f("AA", 1, 1, 1)       // never nothing
}

func TestBoundPodsAreSpread(t *testing.T) {
	f := func(p Place, n, nodes int, want ...int) {
		t.Helper()
		var got []int
		for j := range n {
			got = append(got, p.node(j, n, nodes))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, %d pods on %d nodes: -want +got:\n%s", p, n, nodes, diff)
		}
	}
	f(SpreadEvenly, 3, 9, 0, 3, 6)
	f(SpreadEvenly, 3, 4, 0, 1, 2)
	f(SpreadEvenly, 5, 3, 0, 1, 2, 0, 1)
	f(OnePerNode, 3, 9, 0, 1, 2)
}

func TestUniquePodsDifferFromEachOther(t *testing.T) {
	objects := mustBuild(t, "U1", 500, 1000)
	seen := map[string]bool{}
	for _, pod := range append(objects.Bound, objects.Pending...) {
		requests := pod.Spec.Containers[0].Resources.Requests
		seen[requests.Cpu().String()+" "+requests.Memory().String()] = true
	}
	if len(seen) != 1500 {
		t.Errorf("got %d different requests of 1500 pods, want all to differ", len(seen))
	}
}
