package process

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// wokenScenes have pods that are parked, one scene for each plugin that parks them. What
// helps nobody, or should not, comes first.
func wokenScenes() []scene {
	return []scene{unschedulableScene(), taintScene(), affinityScene(), portsScene(), fitScene(), featuresScene(),
		gatesScene(), spreadScene(), nearScene(), farScene(), twoReasonsScene()}
}

// noise is what happens in every cluster all day, to n1 among others. useless is a node
// that does not take the pod.
func noise(pod, useless string) []step {
	node := object.NodeOf(useless)
	return []step{
		{name: "node condition and images", do: deeds(
			patchNode("n1", `{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T00:00:00Z"}]}}`, "status"),
			patchNode("n1", `{"status":{"conditions":[{"type":"DiskPressure","status":"True"}]}}`, "status"),
			patchNode("n1", `{"status":{"images":[{"names":["example.com/x:1"],"sizeBytes":100000000}]}}`, "status"),
			patchNode("n1", `{"metadata":{"annotations":{"some":"thing"}}}`))},
		{name: "node label", do: patchNode("n1", `{"metadata":{"labels":{"some":"thing"}}}`)},
		{name: "node allocatable", do: patchNode("n1", `{"status":{"allocatable":{"example.com/thing":"4"},"capacity":{"example.com/thing":"4"}}}`, "status")},
		{name: "passer-by comes", do: add(object.Pod("passer-by", object.OnNode("n1"), object.CPU("10m"), object.Label("app", "passer-by")))},
		{name: "passer-by changes", do: deeds(
			patchPod("passer-by", `{"metadata":{"labels":{"app":"other"}}}`),
			patchPod("passer-by", `{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"5m"}}}]}}`, "resize"))},
		{name: "passer-by fails and goes", do: deeds(patchPod("passer-by", `{"status":{"phase":"Failed"}}`, "status"), remove("passer-by"))},
		{name: "useless node comes", do: addNode(node)},
		{name: "useless node goes", do: removeNode(node.Name)},
		{name: "own metadata", do: deeds(
			patchPod(pod, `{"metadata":{"annotations":{"some":"thing"}}}`), patchPod(pod, `{"metadata":{"labels":{"some":"thing"}}}`))},
		{name: "own toleration", do: tolerate(pod, "unrelated")},
	}
}

// roomy is a node of words that has cpu.
func roomy(words string) *corev1.Node {
	node := object.NodeOf(words)
	object.CPU("4").NodeFunc(node)
	return node
}

func tolerate(pod, key string) deed {
	return patchPod(pod, `{"spec":{"tolerations":[{"key":"`+key+`","operator":"Exists"}]}}`)
}

func unschedulableScene() scene {
	return scene{name: "NodeUnschedulable", nodes: []*corev1.Node{object.Node("n1", object.CPU("4"), object.Cordoned())},
		steps: then(object.Pod("p"), "n2 taint(k)",
			step{name: "cordoned node comes", do: addNode(object.Node("n3", object.Cordoned()))},
			step{name: "second pod", do: add(object.Pod("bold"))},
			step{name: "own toleration of it", do: tolerate("bold", corev1.TaintNodeUnschedulable)},
			step{name: "uncordoned with a taint", do: patchNode("n3", `{"spec":{"unschedulable":null,"taints":[{"key":"k","effect":"NoSchedule"}]}}`)},
			step{name: "uncordoned", do: patchNode("n1", `{"spec":{"unschedulable":null}}`)})}
}

func taintScene() scene {
	return scene{name: "TaintToleration", nodes: []*corev1.Node{roomy("n1 taint(k)")},
		steps: then(object.Pod("p"), "n2 taint(other)",
			step{name: "taint gets a value", do: patchNode("n1", `{"spec":{"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]}}`)},
			step{name: "another taint", do: patchNode("n1", `{"spec":{"taints":[{"key":"k2","effect":"NoExecute"}]}}`)},
			step{name: "second pod", do: add(object.Pod("bold"))},
			step{name: "own toleration of it", do: tolerate("bold", "k2")},
			step{name: "soft taint instead", do: patchNode("n1", `{"spec":{"taints":[{"key":"k2","effect":"PreferNoSchedule"}]}}`)})}
}

func affinityScene() scene {
	return scene{name: "NodeAffinity", nodes: []*corev1.Node{roomy("n1 disk=hdd")},
		steps: then(object.Pod("p", object.Is("wants(disk=ssd)")), "n2 disk=tape",
			step{name: "label to another value", do: patchNode("n1", `{"metadata":{"labels":{"disk":"nvme"}}}`)},
			step{name: "label as wanted", do: patchNode("n1", `{"metadata":{"labels":{"disk":"ssd"}}}`)},
			step{name: "label gone", do: patchNode("n1", `{"metadata":{"labels":{"disk":null}}}`)},
			step{name: "second pod", do: add(object.Pod("next", object.Is("wants(disk=ssd)")))},
			step{name: "node as wanted, and tainted", do: addNode(object.NodeOf("n3 disk=ssd taint(k)"))},
			step{name: "node as wanted", do: addNode(object.NodeOf("n4 disk=ssd"))})}
}

func portsScene() scene {
	port := func(n int32) object.PodFunc { return object.HostPort(n, corev1.ProtocolTCP) }
	return scene{name: "NodePorts", nodes: []*corev1.Node{roomy("n1")},
		bound: []*corev1.Pod{object.Pod("holder", object.OnNode("n1"), port(8080)), object.Pod("else", object.OnNode("n1"), port(8081))},
		steps: then(object.Pod("p", port(8080)), "n2 taint(k)",
			step{name: "another port gets free", do: remove("else")},
			step{name: "the port gets free", do: remove("holder")},
			step{name: "second pod", do: add(object.Pod("next", port(8080)))},
			step{name: "node comes", do: addNode(object.NodeOf("n3"))})}
}

func gatesScene() scene {
	return scene{name: "SchedulingGates", nodes: []*corev1.Node{roomy("n1")},
		steps: then(object.Pod("p", object.Gate("example.com/a"), object.Gate("example.com/b")), "n2 taint(k)",
			step{name: "one of two gates goes", do: patchPod("p", `{"spec":{"schedulingGates":[{"name":"example.com/a","$patch":"delete"}]}}`)},
			step{name: "node comes", do: addNode(object.NodeOf("n3"))},
			step{name: "the last gate goes", do: patchPod("p", `{"spec":{"schedulingGates":null}}`)})}
}

func featuresScene() scene {
	const wanted = "RestartAllContainersOnContainerExits"
	uses := object.PodFunc(func(p *corev1.Pod) {
		never := corev1.ContainerRestartPolicyNever
		p.Spec.Containers[0].RestartPolicy = &never
		p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{
			Action:    corev1.ContainerRestartRuleActionRestartAllContainers,
			ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: corev1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{42}},
		}}
	})
	declare := func(name string) deed {
		return patchNode("n1", `{"status":{"declaredFeatures":["`+name+`"]}}`, "status")
	}
	return scene{name: "NodeDeclaredFeatures", nodes: []*corev1.Node{roomy("n1")},
		steps: then(object.Pod("p", uses), "n2 taint(k)",
			step{name: "another feature", do: declare("Another")},
			step{name: "the feature", do: declare(wanted)},
			step{name: "the feature goes", do: declare("Another")},
			step{name: "second pod", do: add(object.Pod("next", uses))},
			step{name: "node with it comes", do: addNode(object.Node("n3", object.NodeFunc(func(n *corev1.Node) {
				n.Status.DeclaredFeatures = []string{wanted}
			})))})}
}

// then is the steps of a scene: the pod comes, the noise of the day, and the rest.
func then(pod *corev1.Pod, useless string, steps ...step) []step {
	return slices.Concat([]step{{name: "pod comes and is parked", do: add(pod)}}, noise(pod.Name, useless), steps)
}
