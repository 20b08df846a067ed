package nodeaffinity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestTermThatDoesNotParseMatchesNothing(t *testing.T) {
	labels := map[string]string{"gen": "500", "disk": "ssd"}
	f := func(malformed corev1.NodeSelectorTerm) {
		t.Helper()
		expect(t, labels, affine(required(malformed)), false)
		expect(t, labels, affine(required(malformed, where(in("disk", "ssd")))), true) // the others still count
		malformed.MatchExpressions = append(malformed.MatchExpressions, in("disk", "ssd"))
		expect(t, labels, affine(required(malformed)), false)
	}
	f(where(expr("gen", corev1.NodeSelectorOpGt, "150.1")))
	f(where(expr("gen", corev1.NodeSelectorOpGt, "-1"))) // not the value of a label
	f(where(expr("gen", corev1.NodeSelectorOpGt)))
	f(where(expr("gen", corev1.NodeSelectorOpLt, "900", "901")))
	f(where(expr("none", corev1.NodeSelectorOpNotIn)))
	f(where(expr("none", corev1.NodeSelectorOpNotIn, "no label has this!")))
	f(where(expr("gen", corev1.NodeSelectorOpExists, "500")))
	f(where(expr("gen", "Near", "500")))
	f(where(expr("no key!", corev1.NodeSelectorOpDoesNotExist)))
	f(whose(expr(metav1.ObjectNameField, corev1.NodeSelectorOpExists)))
	f(whose(expr(metav1.ObjectNameField, corev1.NodeSelectorOpNotIn, "a", "b")))
}

func TestTermsAreOredAndRequirementsAnded(t *testing.T) {
	labels := map[string]string{"gen": "2", "disk": "ssd"}
	ssd, two, hdd := in("disk", "ssd"), in("gen", "2"), in("disk", "hdd")
	expect(t, labels, affine(required(where(ssd, two))), true)
	expect(t, labels, affine(required(where(ssd, hdd))), false)
	expect(t, labels, affine(required(where(hdd), where(two))), true)
	expect(t, labels, affine(required(where(hdd), where(hdd, two))), false)

	expect(t, labels, affine(required()), false)        // a list without terms
	expect(t, labels, affine(required(where())), false) // an empty term
	expect(t, labels, affine(required(where(), where(two))), true)
	expect(t, labels, affine(&corev1.NodeAffinity{}), true)

	both := affine(required(where(two)), object.NodeSelector("disk", "ssd"))
	expect(t, labels, both, true)
	both.Spec.NodeSelector["disk"] = "hdd"
	expect(t, labels, both, false)
}

func TestNodeSelectorComparesAnyText(t *testing.T) {
	labels := map[string]string{"gen": "2", "empty": ""}
	expect(t, labels, object.Pod("p", object.NodeSelector("gen", "2")), true)
	expect(t, labels, object.Pod("p", object.NodeSelector("gen", "2"), object.NodeSelector("empty", "")), true)
	expect(t, labels, object.Pod("p", object.NodeSelector("gen", "2"), object.NodeSelector("none", "")), false)
	expect(t, labels, object.Pod("p", object.NodeSelector("gen", "no label has this!")), false)
	everywhere := object.Pod("p")
	everywhere.Spec.NodeSelector = map[string]string{}
	expect(t, labels, everywhere, true)
}

func TestFieldsAreTheNameAndNothingElse(t *testing.T) {
	name, other := metav1.ObjectNameField, "metadata.namespace"
	f := func(takes bool, requirements ...corev1.NodeSelectorRequirement) {
		t.Helper()
		expect(t, nil, affine(required(whose(requirements...))), takes)
	}
	notIn := corev1.NodeSelectorOpNotIn
	f(true, in(name, "n"))
	f(false, in(name, "m"))
	f(false, expr(name, notIn, "n"))
	f(true, expr(name, notIn, "m"), expr(name, notIn, ""))
	f(true, in(name, "n"), expr(name, notIn, "m"))
	f(false, in(name, "n"), expr(name, notIn, "n"))
	f(false, in(other, "default")) // what nodes lack is like empty
	f(true, in(other, ""))
	f(true, expr(other, notIn, "x"))
	f(false, expr(other, notIn, ""))

	mixed := named("n")
	mixed.MatchExpressions = []corev1.NodeSelectorRequirement{in("gen", "2")}
	expect(t, map[string]string{"gen": "2"}, affine(required(mixed)), true)
	expect(t, nil, affine(required(mixed)), false)
}
