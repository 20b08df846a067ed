package nodeaffinity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestEqualFragmentsGetEqualAnswers(t *testing.T) {
	for _, added := range []*corev1.NodeAffinity{nil, required(where(in("disk", "ssd")))} {
		plugin := func() framework.Plugin { return with(added) }
		sim.JudgeFragment(t, 60, (*sim.Gen).Furnished, plugin)
		sim.JudgeFragment(t, 60, sim.Kind("affinity"), plugin)
	}
}

func TestFragmentTellsSelectorsApart(t *testing.T) {
	specs := podspec.NewCompiler()
	fragment := func(p *corev1.Pod) string { return with(nil).Fragment(specs.Compile(p)) }
	empty, none := object.Pod("p"), affine(nil)
	empty.Spec.NodeSelector = map[string]string{}
	both := affine(required(where(in("x", "1"))), object.NodeSelector("x", "1"))
	seen := map[string]string{}
	for _, p := range []*corev1.Pod{
		object.Pod("p"), empty, // the second is not skipped
		object.Pod("p", object.NodeSelector("x", "1")), object.Pod("p", object.NodeSelector("x", "")), object.Pod("p", object.NodeSelector("y", "1")),
		affine(required(where(in("x", "1")))), affine(required(where(in("x", "1", "2")))), both,
		affine(required(where(expr("x", corev1.NodeSelectorOpNotIn, "1")))),
		affine(required(where(in("x", "1"), in("y", "1")))), affine(required(where(in("x", "1")), where(in("y", "1")))),
		affine(required(named("1"))), affine(required()), affine(&corev1.NodeAffinity{}),
		affine(preferred(1, in("x", "1"))), affine(preferred(2, in("x", "1"))),
	} {
		key := fragment(p)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have one fragment", sim.PodLine(p), other)
		}
		seen[key] = sim.PodLine(p)
	}

	f := func(p, same *corev1.Pod) {
		t.Helper()
		if fragment(p) != fragment(same) {
			t.Errorf("%s and %s have different fragments", sim.PodLine(p), sim.PodLine(same))
		}
	}
	f(object.Pod("p"), none) // an affinity to pods is none of its business
	f(object.Pod("p"), object.Pod("q", object.Label("x", "1"), object.CPU("1"), object.Namespace("other")))
	f(both, affine(required(where(in("x", "1"))), object.NodeSelector("x", "1"), object.Tolerate("k", "v", "")))
}
