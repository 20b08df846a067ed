package object

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// expectYAML compares an object with what a case would write for it.
func expectYAML[T any](t *testing.T, got *T, want string) {
	t.Helper()
	var wanted T
	if err := yaml.UnmarshalStrict([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&wanted, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNodeIsTheShorthandOfACase(t *testing.T) {
	expectYAML(t, Node("n1", CPU("4"), Memory("8Gi"), Zone("z1"), Taint("k", "v", corev1.TaintEffectNoExecute)), `
metadata: {name: n1, labels: {kubernetes.io/hostname: n1, topology.kubernetes.io/zone: z1}}
spec:
  taints: [{key: k, value: v, effect: NoExecute}]
status:
  capacity:    {cpu: "4", memory: 8Gi, pods: "110"}
  allocatable: {cpu: "4", memory: 8Gi, pods: "110"}
  conditions: [{type: Ready, status: "True"}]
`)
	expectYAML(t, Node("n2", Pods("1"), Cordoned()), `
metadata: {name: n2, labels: {kubernetes.io/hostname: n2}}
spec: {unschedulable: true}
status:
  capacity: {pods: "1"}
  allocatable: {pods: "1"}
  conditions: [{type: Ready, status: "True"}]
`)
}

func TestPodIsTheShorthandOfACase(t *testing.T) {
	expectYAML(t, Pod("a", CPU("1"), Priority("low"), OnNode("n1"), Label("app", "x"), Gate("t/hold"), Grace(30)), `
metadata: {name: a, namespace: default, labels: {app: x}}
spec:
  containers: [{name: c, image: x, resources: {requests: {cpu: "1"}}}]
  priorityClassName: low
  nodeName: n1
  schedulingGates: [{name: t/hold}]
  terminationGracePeriodSeconds: 30
`)
	expectYAML(t, Pod("b", Namespace("ns"), Resource("example.com/gpu", "2"), HostPort(80, corev1.ProtocolUDP)), `
metadata: {name: b, namespace: ns}
spec:
  containers:
  - name: c
    image: x
    ports: [{containerPort: 80, hostPort: 80, protocol: UDP}]
    resources: {requests: {example.com/gpu: "2"}, limits: {example.com/gpu: "2"}}
`)
	tolerations := []PodOption{Tolerate("k", "v", corev1.TaintEffectNoSchedule), Tolerate("any", "", "")}
	expectYAML(t, Pod("c", append(tolerations, NodeSelector("d", "ssd"))...), `
metadata: {name: c, namespace: default}
spec:
  containers: [{name: c, image: x}]
  tolerations: [{key: k, operator: Equal, value: v, effect: NoSchedule}, {key: any, operator: Exists}]
  nodeSelector: {d: ssd}
`)
}

func TestWhatHasNoOptionIsAFunction(t *testing.T) {
	pod := Pod("a", PodFunc(func(pod *corev1.Pod) { pod.Spec.HostNetwork = true }))
	node := Node("n1", NodeFunc(func(node *corev1.Node) { node.Spec.PodCIDR = "x" }))
	if !pod.Spec.HostNetwork || node.Spec.PodCIDR != "x" {
		t.Errorf("got pod %v and node %v, want both functions applied", pod.Spec, node.Spec)
	}
}
