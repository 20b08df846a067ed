package process

import (
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// meantRequests is where we write something else than kube-scheduler, on purpose: an id
// of test/oracle/deviations.yaml, or the reason.
var meantRequests = map[string]string{
	bodies:   "a status patch carries the UID, so that it cannot meet another pod of that name, and the whole condition",
	repeated: "a refusal that repeats is one event with a series; kube-scheduler makes another when the pod has changed in between",

	"PodTopologySpread: p": "a refusal with another text is another event; kube-scheduler counts it as a repetition when the pod has not changed, and the text is lost",

	"affinity-namespaces-hint: p": "affinity-namespaces-hint",
	"each-anti-term-hint: p":      "each-anti-term-hint",
	"first-of-group-hint: p":      "first-of-group-hint",
	"kept-away-node-hint: p":      "kept-away-node-hint",
}

// meantRequeues are steps at which we wake others than kube-scheduler, on purpose: an id
// of test/oracle/deviations.yaml, or the reason.
var meantRequeues = map[string]string{
	"PodTopologySpread: pod of the group goes": "terminating-pod-hint",

	"affinity-namespaces-hint: a partner comes":   "affinity-namespaces-hint",
	"each-anti-term-hint: one of two terms holds": "each-anti-term-hint",
	"first-of-group-hint: the group's pod goes":   "first-of-group-hint",
	"kept-away-node-hint: node comes":             "kept-away-node-hint",
}

// meantScenes show differences that are listed: where a pod waits with kube-scheduler,
// and is bound with us. Each has the name of its id.
func meantScenes() []scene {
	on := func(node, words string) *corev1.Pod {
		return object.Pod("other", object.OnNode(node), object.Is(words))
	}
	p := func(words string) step {
		return step{name: "parked", do: add(object.Pod("p", object.Is(words)))}
	}
	return []scene{
		{name: "affinity-namespaces-hint", nodes: []*corev1.Node{object.NodeOf("n1 zone=z1")}, steps: []step{
			p("near(zone nsel:kubernetes.io/metadata.name=kube-public app=x)"),
			{name: "a partner comes", do: add(object.Pod("partner", object.OnNode("n1"), object.Is("app=x in(kube-public)")))}}},
		{name: "each-anti-term-hint", nodes: []*corev1.Node{object.NodeOf("n1 zone=z1"), object.NodeOf("n2 zone=z1")},
			bound: []*corev1.Pod{on("n1", "app=x team=y")}, steps: []step{
				p("far(zone app=x) far(host team=y)"),
				{name: "one of two terms holds", do: patchPod("other", `{"metadata":{"labels":{"app":"z"}}}`)}}},
		{name: "first-of-group-hint", nodes: []*corev1.Node{object.NodeOf("n1 zone=z1"), object.NodeOf("n2 zone=z2 taint(k)")},
			bound: []*corev1.Pod{on("n2", "app=x")}, steps: []step{
				p("app=x near(zone app=x)"),
				{name: "the group's pod goes", do: remove("other")}}},
		{name: "kept-away-node-hint", nodes: []*corev1.Node{object.NodeOf("n1 zone=z1")},
			bound: []*corev1.Pod{on("n1", "far(zone app=x)")}, steps: []step{
				p("app=x"),
				{name: "node comes", do: addNode(object.NodeOf("n2 zone=z2"))}}},
	}
}

// An excuse that is an id is on the list of what differs on purpose.
func TestExcusesAreListed(t *testing.T) {
	text, err := os.ReadFile("../oracle/deviations.yaml")
	must(t, err)
	var list []struct{ ID string }
	must(t, yaml.Unmarshal(text, &list))
	known := map[string]bool{}
	for _, d := range list {
		known[d.ID] = true
	}
	for _, meant := range []map[string]string{meantRequests, meantRequeues} {
		for item, why := range meant {
			if !strings.Contains(why, " ") && !known[why] {
				t.Errorf("%s is excused by %s, which test/oracle/deviations.yaml does not have", item, why)
			}
		}
	}
}
