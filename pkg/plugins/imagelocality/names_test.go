package imagelocality

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// image gives a node an image under its names.
func image(size int64, names ...string) object.NodeFunc {
	return func(n *corev1.Node) {
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{Names: names, SizeBytes: size})
	}
}

func TestNameOfAnImageIsCompared(t *testing.T) {
	f := func(wanted string, there bool, names ...string) {
		t.Helper()
		pod, want := object.Pod("p"), int64(0)
		pod.Spec.Containers[0].Image = wanted
		if there {
			want = 100
		}
		expectScores(t, pod, []sim.Site{{Node: object.Node("a", image(most, names...))}}, want)
	}
	f("app", true, "app:latest")
	f("app:latest", true, "app:latest")
	f("app", false, "app") // a node tells names with their tags
	f("app:1", true, "app:1")
	f("app:1", false, "app:2")
	f("h:5000/x", true, "h:5000/x:latest") // the first colon belongs to a port
	f("h:5000/x", false, "h:5000/x")
	f("h:5000/x:1", true, "h:5000/x:1")
	f("y@sha256:0123", true, "y@sha256:0123")
	f("y@sha256:0123", true, "y:latest", "y@sha256:0123")
	f("y", true, "y:latest", "y@sha256:0123")
	f("", false, "app:latest")
}

func TestFirstNodeTellsTheSize(t *testing.T) {
	pod := object.Pod("p")
	pod.Spec.Containers[0].Image = "app:1"
	large, small := object.Node("a", image(most, "app:1")), object.Node("b", image(0, "app:1"))
	expectScores(t, pod, []sim.Site{{Node: large}, {Node: small}}, 100, 100)
	expectScores(t, pod, []sim.Site{{Node: small}, {Node: large}}, 0, 0)

	twice := object.Node("c", image(most, "app:1"), image(0, "app:1")) // on one node too
	expectScores(t, pod, []sim.Site{{Node: twice}}, 100)
}

func TestSizesBelowNothingDoNotHelp(t *testing.T) {
	pod := object.Pod("p")
	pod.Spec.Containers = append(pod.Spec.Containers, pod.Spec.Containers[0])
	pod.Spec.Containers[0].Image, pod.Spec.Containers[1].Image = "app:1", "db:1"
	f := func(app, db, want int64) {
		t.Helper()
		expectScores(t, pod, []sim.Site{{Node: object.Node("a", image(app, "app:1"), image(db, "db:1"))}}, want)
	}
	f(-2, 0, 0)
	f(-1<<30, -1<<30, 0)
	f(2*most, 0, 100)
	f(2*most, -2, 99) // what it tells counts
	f(2*most, -most, 49)
	f(math.MinInt64, 0, 0)
}

func TestSizesBeyondAllMeasureStayInRange(t *testing.T) {
	pod := object.Pod("p")
	pod.Spec.Containers = append(pod.Spec.Containers, pod.Spec.Containers[0], pod.Spec.Containers[0])
	for i := range pod.Spec.Containers {
		pod.Spec.Containers[i].Image = "app:1"
	}
	f := func(size, want int64) {
		t.Helper()
		expectScores(t, pod, []sim.Site{{Node: object.Node("a", image(size, "app:1"))}, {Node: object.Node("b")}}, want, 0)
	}
	f(1<<62, 100)
	f(math.MaxInt64, 0) // three halves of it wrap
}

func TestEqualFragmentsGetEqualAnswers(t *testing.T) {
	plugin := func() framework.Plugin { return ImageLocality{} }
	sim.JudgeFragment(t, 80, (*sim.Gen).Furnished, plugin)
	sim.JudgeFragment(t, 80, sim.Kind("images"), plugin)
}

func TestFragmentTellsImagesApart(t *testing.T) {
	specs := podspec.NewCompiler()
	fragment := func(p *corev1.Pod) string { return ImageLocality{}.Fragment(specs.Compile(p)) }
	seen := map[string]string{}
	for _, p := range []*corev1.Pod{using(), using("1"), using("2"), using("1", "1"), using("1", "2")} {
		key := fragment(p)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have one fragment", sim.PodLine(p), other)
		}
		seen[key] = sim.PodLine(p)
	}
	same := using("1")
	same.Spec.Containers[0].Image += ":latest"
	same.Spec.Priority, same.Labels = new(int32), map[string]string{"x": "y"}
	if fragment(same) != fragment(using("1")) {
		t.Errorf("%s and %s have different fragments", sim.PodLine(same), sim.PodLine(using("1")))
	}
	if scope := (ImageLocality{}).Scope(); scope != framework.UntilChange {
		t.Errorf("scope %v: what any node has counts for all", scope)
	}
}
