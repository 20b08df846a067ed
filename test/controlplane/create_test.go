package controlplane

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestNodesKeepTheirStatusAndGetNoTaint(t *testing.T) {
	c := shared(t)
	want := object.Node(unused("kept"), object.CPU("4"), object.Memory("8Gi"), object.Zone("z1"))
	if err := c.CreateNodes(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	got, err := c.Client(Admin).CoreV1().Nodes().Get(t.Context(), want.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods} {
		if got, want := got.Status.Allocatable[name], want.Status.Allocatable[name]; got.Cmp(want) != 0 {
			t.Errorf("got %s %s, want %s", name, got.String(), want.String())
		}
	}
	if len(got.Spec.Taints) != 0 {
		t.Errorf("got taints %v, want none", got.Spec.Taints)
	}
}

func TestObjectsWithEveryOptionAreAccepted(t *testing.T) {
	c := shared(t)
	node := object.Node(unused("full"), object.CPU("4"), object.Memory("8Gi"), object.Resource("example.com/gpu", "2"),
		object.Pods("10"), object.Zone("z1"), object.Label("a", "b"), object.Annotation("a", "b"),
		object.Taint("dedicated", "x", corev1.TaintEffectNoSchedule), object.Cordoned())
	if err := c.CreateNodes(t.Context(), node); err != nil {
		t.Error(err)
	}
	pod := object.Pod(unused("full"), object.CPU("1"), object.Memory("1Gi"), object.Resource("example.com/gpu", "1"),
		object.Namespace("kube-system"), object.OnNode(node.Name), object.SchedulerName("other"),
		object.Tolerate("dedicated", "x", corev1.TaintEffectNoSchedule), object.Tolerate("any", "", ""),
		object.NodeSelector("a", "b"), object.Grace(0), object.HostPort(8080, corev1.ProtocolTCP),
		object.Label("a", "b"), object.Annotation("a", "b"))
	if err := c.CreatePods(t.Context(), pod); err != nil {
		t.Error(err)
	}
}

func TestManyNodesAreMadeAtOnce(t *testing.T) {
	c := shared(t)
	herd := unused("herd")
	var nodes []*corev1.Node
	for range 1000 {
		nodes = append(nodes, object.Node(unused("one"), object.CPU("4"), object.Label("herd", herd)))
	}
	begin := time.Now()
	if err := c.CreateNodes(t.Context(), nodes...); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d nodes in %v", len(nodes), time.Since(begin))
	list, err := c.Client(Admin).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{LabelSelector: "herd=" + herd})
	if err != nil || len(list.Items) != len(nodes) {
		t.Errorf("got %d nodes (error %v), want %d", len(list.Items), err, len(nodes))
	}
}

func TestCreateStopsAtTheFirstFailure(t *testing.T) {
	name := unused("twice")
	err := shared(t).CreatePods(t.Context(), object.Pod(name), object.Pod(name))
	if !apierrors.IsAlreadyExists(err) {
		t.Errorf("got error %v, want already exists", err)
	}
}
