package process

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func fitScene() scene {
	cpu := func(n string) deed {
		return patchNode("n1", `{"status":{"allocatable":{"cpu":"`+n+`"},"capacity":{"cpu":"`+n+`"}}}`, "status")
	}
	resize := func(pod, n string) deed {
		return patchPod(pod, `{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"`+n+`"}}}]}}`, "resize")
	}
	eater := func(name, n string) *corev1.Pod { return object.Pod(name, object.OnNode("n1"), object.CPU(n)) }
	return scene{name: "NodeResourcesFit", nodes: []*corev1.Node{object.Node("n1", object.CPU("2"), object.Memory("1Gi"))},
		bound: []*corev1.Pod{eater("eater", "1500m"), eater("nibbler", "300m"), object.Pod("idler", object.OnNode("n1"), object.Memory("1Mi"))},
		steps: then(object.Pod("p", object.CPU("1"), object.Memory("1Mi")), "n2",
			step{name: "cpu up, not enough", do: cpu("2100m")},
			step{name: "cpu down", do: cpu("2")},
			step{name: "too little gets free", do: remove("nibbler")},
			step{name: "another resource gets free", do: remove("idler")},
			step{name: "pod on the node wants less", do: resize("eater", "1400m")},
			step{name: "own request smaller, not enough", do: resize("p", "900m")},
			step{name: "own request larger", do: resize("p", "950m")},
			step{name: "small node comes", do: addNode(object.Node("n3", object.CPU("900m"), object.Memory("1Gi")))},
			step{name: "enough gets free", do: remove("eater")},
			step{name: "second pod", do: add(object.Pod("grows", object.CPU("5")))},
			step{name: "cpu up, enough", do: cpu("8")},
			step{name: "third pod", do: add(object.Pod("waits", object.CPU("16")))},
			step{name: "node comes", do: addNode(object.Node("n4", object.CPU("16")))},
			step{name: "fourth pod", do: add(object.Pod("shrinks", object.CPU("20")))},
			step{name: "own request small enough", do: resize("shrinks", "500m")})}
}

// There is a pod more in zone z1, and no room in z2.
func spreadScene() scene {
	x := func(name string) *corev1.Pod { return object.Pod(name, object.OnNode("n1"), object.Is("app=x")) }
	spread := func(name string) *corev1.Pod { return object.Pod(name, object.Is("app=x spread(1 zone app=x)")) }
	full := func(name, zone string) *corev1.Node { return object.Node(name, object.Zone(zone), object.Pods("0")) }
	return scene{name: "PodTopologySpread", nodes: []*corev1.Node{roomy("n1 zone=z1"), full("full", "z2")},
		bound: []*corev1.Pod{x("x1"), x("x2"), x("x3")},
		steps: then(spread("p"), "n2",
			step{name: "pod of the group comes", do: add(x("x4"))},
			step{name: "pod of the group goes", do: remove("x4")},
			step{name: "pod of the group relabelled", do: patchPod("x3", `{"metadata":{"labels":{"app":"y"}}}`)},
			step{name: "node of the small domain relabelled", do: patchNode("full", `{"metadata":{"labels":{"some":"thing"}}}`)},
			step{name: "full node to another zone", do: patchNode("full", `{"metadata":{"labels":{"topology.kubernetes.io/zone":"z3"}}}`)},
			step{name: "full node leaves all zones", do: patchNode("full", `{"metadata":{"labels":{"topology.kubernetes.io/zone":null}}}`)},
			step{name: "full node comes to a zone", do: addNode(full("n5", "z4"))},
			step{name: "second pod", do: add(spread("next"))},
			step{name: "full node goes", do: removeNode("n5")},
			step{name: "full node comes again", do: addNode(full("n6", "z4"))},
			step{name: "third pod", do: add(spread("leaves"))},
			step{name: "own label leaves the group", do: patchPod("leaves", `{"metadata":{"labels":{"app":"z"}}}`)},
			step{name: "node with room comes", do: addNode(object.Node("n7", object.Zone("z4")))})}
}

func nearScene() scene {
	on := func(name, words string) *corev1.Pod { return object.Pod(name, object.OnNode("n1"), object.Is(words)) }
	near := func(name string) *corev1.Pod { return object.Pod(name, object.Is("near(zone app=x)")) }
	return scene{name: "InterPodAffinity", nodes: []*corev1.Node{roomy("n1")},
		steps: then(near("p"), "n2 zone=z9",
			step{name: "node gets the key", do: patchNode("n1", `{"metadata":{"labels":{"topology.kubernetes.io/zone":"z1"}}}`)},
			step{name: "pod of another namespace comes", do: add(object.Pod("far-off", object.OnNode("n1"), object.Is("app=x"), object.Namespace("kube-public")))},
			step{name: "another pod comes", do: add(on("y", "app=y"))},
			step{name: "another pod becomes a partner", do: patchPod("y", `{"metadata":{"labels":{"app":"x"}}}`)},
			step{name: "the partner goes", do: remove("y")},
			step{name: "second pod", do: add(near("next"))},
			step{name: "a partner is pending", do: add(object.Pod("pending", object.Is("app=x"), object.Gate("example.com/never")))},
			step{name: "a partner comes", do: add(on("x", "app=x"))},
			step{name: "third pod", do: add(object.Pod("lone", object.Is("near(zone app=w)")))},
			step{name: "own label makes it its own partner", do: patchPod("lone", `{"metadata":{"labels":{"app":"w"}}}`)})}
}

// A pod that stays away, and one that is kept away.
func farScene() scene {
	on := func(name, words string) *corev1.Pod { return object.Pod(name, object.OnNode("n1"), object.Is(words)) }
	return scene{name: "InterPodAntiAffinity", nodes: []*corev1.Node{roomy("n1 zone=z1")},
		bound: []*corev1.Pod{on("x1", "app=x"), on("x2", "app=x"), on("loner", "far(zone app=kept)"), on("y", "app=y")},
		steps: then(object.Pod("p", object.Is("far(zone app=x)")), "n2 zone=z1",
			step{name: "kept away", do: add(object.Pod("kept", object.Is("app=kept")))},
			step{name: "another pod goes", do: remove("y")},
			step{name: "one of two goes", do: remove("x1")},
			step{name: "the other is relabelled", do: patchPod("x2", `{"metadata":{"labels":{"app":"z"}}}`)},
			step{name: "the loner goes", do: remove("loner")},
			step{name: "another comes", do: add(on("x3", "app=x"), object.Pod("late", object.Is("far(zone app=x)")))},
			step{name: "node without the key comes", do: addNode(object.NodeOf("n4"))})}
}

// Refused by two plugins on two nodes.
func twoReasonsScene() scene {
	big := func(name string) *corev1.Pod { return object.Pod(name, object.CPU("2")) }
	return scene{name: "two reasons", nodes: []*corev1.Node{object.Node("n1", object.CPU("1")),
		object.Node("n2", object.CPU("4"), object.Taint("k", "", corev1.TaintEffectNoSchedule))},
		steps: []step{
			{name: "parked", do: add(big("p"), big("q"))},
			{name: "tainted node gets cpu", do: patchNode("n2", `{"status":{"allocatable":{"cpu":"5"},"capacity":{"cpu":"5"}}}`, "status")},
			{name: "small node gets the taint", do: patchNode("n1", `{"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}`)},
			{name: "small node without its taint", do: patchNode("n1", `{"spec":{"taints":null}}`)},
			{name: "own toleration", do: tolerate("p", "k")},
			{name: "taint goes", do: patchNode("n2", `{"spec":{"taints":null}}`)},
		}}
}
