package process

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// writtenScenes have pods that differ in what is written about them.
func writtenScenes() []scene {
	n := func(name string) *corev1.Node { return object.Node(name, object.CPU("1"), object.Memory("1Gi")) }
	more := patchNode("n1", `{"status":{"allocatable":{"cpu":"8"},"capacity":{"cpu":"8"}}}`, "status")
	return []scene{
		{name: "plain", nodes: []*corev1.Node{n("n1")}, steps: []step{
			{name: "bound at once", do: add(object.Pod("fits"))},
			{name: "refused", do: add(object.Pod("refused", object.CPU("2")))},
			{name: "refused and deleted", do: add(object.Pod("deleted", object.CPU("100")))},
			{name: "deleted while pending", do: remove("deleted")},
			{name: "refused and helped", do: more},
			{name: "foreign", do: add(object.Pod("foreign", object.SchedulerName("someone-else")))},
			{name: "made on a node", do: add(object.Pod("placed", object.OnNode("n1")))},
		}},
		{name: "gates", nodes: []*corev1.Node{n("n1")}, steps: []step{
			{name: "gated", do: add(object.Pod("gated", object.Gate("example.com/later")))},
			{name: "two gates", do: add(object.Pod("gated-twice", object.Gate("example.com/a"), object.Gate("example.com/b")))},
			{name: "one gate removed", do: patchPod("gated-twice", `{"spec":{"schedulingGates":[{"name":"example.com/a","$patch":"delete"}]}}`)},
			{name: "gate removed", do: patchPod("gated-twice", `{"spec":{"schedulingGates":null}}`)},
			{name: "gated and deleted", do: remove("gated")},
		}},
		{name: "others", nodes: []*corev1.Node{n("n1")}, steps: []step{
			{name: "refused", do: add(object.Pod("taken", object.CPU("100")))},
			{name: "bound by a third party", do: bind("taken", "n1")},
			{name: "terminating behind its gate", do: terminating("ending")},
			{name: "terminating without its gate", do: patchPod("ending", `{"spec":{"schedulingGates":null}}`), dropped: 1},
		}},
		{name: "crowd", nodes: []*corev1.Node{n("n1")}, steps: []step{
			{name: "ten come", do: crowd},
		}},
		{name: "related", nodes: []*corev1.Node{object.Node("n1", object.Zone("z1")), object.Node("n2", object.Zone("z2"))},
			bound: []*corev1.Pod{object.Pod("there", object.OnNode("n1"), object.Is("app=x")), object.Pod("loner", object.OnNode("n2"), object.Is("far(zone app=y)"))},
			steps: []step{
				{name: "spread", do: add(object.Pod("spread", object.Is("app=x wants(zone=z1) spread(1 zone app=x affinity=Ignore)")))},
				{name: "affinity", do: add(object.Pod("near", object.Is("near(zone app=none)")))},
				{name: "anti-affinity", do: add(object.Pod("far", object.Is("far(zone app=x) wants(zone=z1)")))},
				{name: "kept away", do: add(object.Pod("kept-away", object.Is("app=y wants(zone=z2)")))},
			}},
	}
}

// crowd is ten pods of which five fit.
func crowd(ctx context.Context, s *stage) error {
	for i := range 10 {
		if err := s.addPods(ctx, object.Pod(fmt.Sprint("one-", i), object.CPU("200m"))); err != nil {
			return err
		}
	}
	return nil
}

// terminating makes a gated pod and deletes it, which a finalizer holds up.
func terminating(name string) deed {
	held := object.PodFunc(func(p *corev1.Pod) { p.Finalizers = []string{"example.com/held"} })
	return func(ctx context.Context, s *stage) error {
		if err := s.addPods(ctx, object.Pod(name, object.Gate("example.com/later"), held)); err != nil {
			return err
		}
		return s.Client(controlplane.Admin).CoreV1().Pods(s.space()).Delete(ctx, name, *metav1.NewDeleteOptions(0))
	}
}
