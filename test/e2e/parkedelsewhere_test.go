package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// distant is a pod that other pods keep waiting, and what happens on one node and lets it
// onto another.
type distant struct {
	event  string
	nodes  string // in words, one after another; cordoned is a word for them too
	pods   string // the same: the node and the words of each
	words  string // of the pod that waits
	reason string
	helps  change
	want   string // where the pod is placed then
}

// The node on which it happens is refused before and after, by a filter that comes first.
// So no other plugin wakes the pod.
func TestPodIsWokenByWhatHappensOnAnotherNode(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 5*time.Minute)
	for _, d := range append(spreadFromAfar(), relatedFromAfar()...) {
		t.Run(d.event, func(t *testing.T) {
			s := &scene{t, ctx, c, c.Client(controlplane.Admin)}
			d.play(s)
		})
	}
}

// With hard default constraints it matters whose pods a pod's are.
func TestPodIsWokenByItsServices(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 5*time.Minute)
	client := c.Client(controlplane.Admin)
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "x"}, Ports: []corev1.ServicePort{{Port: 80}}},
	}
	_, err := client.CoreV1().Services("default").Create(ctx, service, metav1.CreateOptions{})
	must(t, err)
	unserved := func(ctx context.Context, client kubernetes.Interface) error {
		return client.CoreV1().Services("default").Delete(ctx, "web", metav1.DeleteOptions{})
	}
	for _, e := range []struct {
		event string
		helps change
	}{
		{"own labels changed", patchPod("p", `{"metadata":{"labels":{"app":"y"}}}`)},
		{"service deleted", unserved},
	} {
		t.Run(e.event, func(t *testing.T) {
			d := distant{"", "n1 zone=z1; n2 zone=z2 cordoned", "n1 app=x; n1 app=x", "app=x", skewed, e.helps, "n1"}
			d.play(&scene{t, ctx, c, client}, "--config="+spreadingConfig(t, c))
		})
	}
}

// spreadingConfig is the sample with hard default constraints, for a cluster.
func spreadingConfig(t *testing.T, c *controlplane.ControlPlane) string {
	t.Helper()
	sample, err := os.ReadFile("../../config/spread.yaml")
	must(t, err)
	kubeconfig, err := c.Kubeconfig(controlplane.Scheduler)
	must(t, err)
	file := filepath.Join(t.TempDir(), "spread.yaml")
	must(t, os.WriteFile(file, []byte(strings.Replace(string(sample), "/etc/kubernetes/scheduler.conf", kubeconfig, 1)), 0o600))
	return file
}

// play has a scheduler of its own.
func (d *distant) play(s *scene, flags ...string) {
	s.t.Cleanup(func() { wipe(s.t, s.ctx, s.client) })
	for _, text := range strings.Split(d.nodes, "; ") {
		text, cordoned := strings.CutSuffix(text, " cordoned")
		n := object.NodeOf(text)
		n.Spec.Unschedulable = cordoned
		object.CPU("4").NodeFunc(n)
		must(s.t, s.c.CreateNodes(s.ctx, n))
	}
	for i, text := range strings.Split(d.pods, "; ") {
		node, words, _ := strings.Cut(text, " ")
		s.pod(string(rune('a'+i)), node, words)
	}
	startBinary(s.t, s.c, flags...)
	s.refuses("p", d.words, d.reason)
	must(s.t, d.helps(s.ctx, s.client))
	s.bound("p", d.want)
}

func spreadFromAfar() []distant {
	const words, honouring = "app=x spread(1 zone app=x)", "app=x spread(1 zone app=x min=2 taints=Honor)"
	const oneEach, tainted = "n1 app=x; n2 app=x", "n1 zone=z1; n2 zone=z2 taint(k) cordoned"
	return []distant{
		{"pod added to the domain with the fewest", "n1 zone=z1; n2 zone=z2 cordoned", "n1 app=x", words, skewed,
			created(object.Pod("b", object.Is("app=x"), object.OnNode("n2"), object.Grace(0))), "n1"},
		{"counted pod begins to terminate", "n1 zone=z1; n2 zone=z2 cordoned", "n1 app=x", words, skewed, terminated("a"), "n1"},
		{"empty domain deleted", "n1 zone=z1; n2 zone=z2 cordoned", "n1 app=x", words, skewed, nodeGone("n2"), "n1"},
		{"empty domain selected no more", "n1 zone=z1 disk=ssd; n2 zone=z2 disk=ssd cordoned", "n1 app=x", "wants(disk=ssd) " + words, skewed,
			patchOf("n2", `{"metadata":{"labels":{"disk":"hdd"}}}`), "n1"},
		{"toleration makes a domain count", tainted, oneEach, honouring, skewed, patchPod("p", `{"spec":{"tolerations":[{"key":"k","operator":"Exists"}]}}`), "n1"},
		{"taint removed, so that a domain counts", tainted, oneEach, honouring, skewed, patchOf("n2", `{"spec":{"taints":null}}`), "n1"},
	}
}

func relatedFromAfar() []distant {
	const twin = "n1 zone=z1 taint(k); n2 zone=z1"
	unzoned := patchOf("n1", `{"metadata":{"labels":{"topology.kubernetes.io/zone":null}}}`)
	return []distant{
		{"node of the last partner leaves its zone", "n1 zone=z1 taint(k); n2 zone=z2", "n1 app=x", "app=x near(zone app=x)", partner, unzoned, "n2"},
		{"node of the last partner deleted", "n1 zone=z1 taint(k); n2 zone=z2", "n1 app=x", "app=x near(zone app=x)", partner, nodeGone("n1"), "n2"},
		{"node of a blocker deleted", twin, "n1 app=x", "far(zone app=x)", blocked, nodeGone("n1"), "n2"},
		{"node of one that wants to be alone deleted", twin, "n1 far(zone app=x)", "app=x", keptAway, nodeGone("n1"), "n2"},
	}
}

func nodeGone(node string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		return client.CoreV1().Nodes().Delete(ctx, node, deleteNow)
	}
}

// terminated is a pod that is told to go and takes its time.
func terminated(pod string) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		return client.CoreV1().Pods("default").Delete(ctx, pod, *metav1.NewDeleteOptions(600))
	}
}
