package nodeaffinity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// plainAffinity takes a node that the added terms, and then the pod's node selector and
// required terms, match. What does not parse matches nothing.
func plainAffinity(added *corev1.NodeAffinity) sim.Rule {
	return func(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
		if added != nil && added.RequiredDuringSchedulingIgnoredDuringExecution != nil {
			selector, err := nodeaffinity.NewNodeSelector(added.RequiredDuringSchedulingIgnoredDuringExecution)
			if err != nil || !selector.Match(node) {
				return fwk.UnschedulableAndUnresolvable, []string{"node(s) didn't match scheduler-enforced node affinity"}
			}
		}
		if match, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); err != nil || !match {
			return fwk.UnschedulableAndUnresolvable, []string{"node(s) didn't match Pod's node affinity/selector"}
		}
		return fwk.Success, nil
	}
}

// with is the plugin of a profile with added affinity, nil for none.
func with(added *corev1.NodeAffinity) *NodeAffinity {
	plugin, err := New(&configv1.NodeAffinityArgs{AddedAffinity: added})
	if err != nil {
		panic(err)
	}
	return plugin
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	for _, added := range []*corev1.NodeAffinity{nil, {}, required(), required(where(in("disk", "ssd", "")), named("n0"))} {
		filter := func() framework.Filter { return with(added) }
		sim.JudgeIn(t, 100, (*sim.Gen).Furnished, filter, plainAffinity(added))
		sim.JudgeIn(t, 100, sim.Kind("affinity"), filter, plainAffinity(added))
	}
}

// A term's requirement, and what is made of them.
func expr(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func in(key string, values ...string) corev1.NodeSelectorRequirement {
	return expr(key, corev1.NodeSelectorOpIn, values...)
}

func where(expressions ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: expressions}
}

func whose(fields ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchFields: fields}
}

func named(name string) corev1.NodeSelectorTerm { return whose(in(metav1.ObjectNameField, name)) }

func required(terms ...corev1.NodeSelectorTerm) *corev1.NodeAffinity {
	return &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}
}

func affine(a *corev1.NodeAffinity, options ...object.PodOption) *corev1.Pod {
	p := object.Pod("p", options...)
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: a}
	return p
}

const noMatch = "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector"

// expect asks whether a node with some labels, called n, takes the pod.
func expect(t *testing.T, labels map[string]string, pod *corev1.Pod, takes bool) {
	t.Helper()
	node, want := object.Node("n"), noMatch
	if takes {
		want = "Success"
	}
	for key, value := range labels {
		node.Labels[key] = value
	}
	if got := sim.Ask(&NodeAffinity{}, node, nil, pod); got != want {
		t.Errorf("%s on %s: %s, want %s", sim.PodLine(pod), sim.NodeLine(node), got, want)
	}
}

func TestOperators(t *testing.T) {
	const gt, lt = corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt
	f := func(value string, r corev1.NodeSelectorRequirement, takes bool) {
		t.Helper()
		labels := map[string]string{"gen": value}
		if value == "-" { // the node lacks the key
			labels = nil
		}
		expect(t, labels, affine(required(where(r))), takes)
	}
	f("2", in("gen", "1", "2"), true)
	f("3", in("gen", "1", "2"), false)
	f("-", in("gen", "1", "2"), false)
	f("", in("gen", ""), true) // an empty value is a value
	f("-", in("gen", ""), false)
	f("2", expr("gen", corev1.NodeSelectorOpNotIn, "1"), true)
	f("1", expr("gen", corev1.NodeSelectorOpNotIn, "1"), false)
	f("-", expr("gen", corev1.NodeSelectorOpNotIn, "1"), true) // absent is not in
	f("", expr("gen", corev1.NodeSelectorOpExists), true)
	f("-", expr("gen", corev1.NodeSelectorOpExists), false)
	f("", expr("gen", corev1.NodeSelectorOpDoesNotExist), false)
	f("-", expr("gen", corev1.NodeSelectorOpDoesNotExist), true)

	f("500", expr("gen", gt, "150"), true)
	f("150", expr("gen", gt, "150"), false)
	f("149", expr("gen", lt, "150"), true)
	f("500", expr("gen", lt, "150"), false)
	f("0500", expr("gen", gt, "499"), true) // a number all the same
	f("-", expr("gen", gt, "0"), false)
	f("-", expr("gen", lt, "0"), false)
	for _, value := range []string{"500m", "", "x", "0x1F4", "9223372036854775808"} { // no int64
		f(value, expr("gen", gt, "0"), false)
		f(value, expr("gen", lt, "9223372036854775807"), false)
	}
}
