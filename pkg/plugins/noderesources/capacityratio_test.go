package noderesources

import (
	"testing"

	configv1 "k8s.io/kube-scheduler/config/v1"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// points makes a shape of pairs: utilization in percent, and a score of 0 to 10.
func points(pairs ...int32) []configv1.UtilizationShapePoint {
	var shape []configv1.UtilizationShapePoint
	for i := 0; i < len(pairs); i += 2 {
		shape = append(shape, configv1.UtilizationShapePoint{Utilization: pairs[i], Score: pairs[i+1]})
	}
	return shape
}

func ratio(shape []configv1.UtilizationShapePoint, resources ...configv1.ResourceSpec) *Fit {
	return strategyOf(configv1.RequestedToCapacityRatio, shape, resources...)
}

func TestCapacityRatioFollowsThePlainDefinition(t *testing.T) {
	shapes := [][]configv1.UtilizationShapePoint{
		points(0, 10, 100, 0), points(0, 0, 100, 10), points(0, 2, 40, 10, 100, 0), points(10, 1, 90, 9), points(50, 3), points(0, 0, 33, 0, 34, 7),
	}
	resources := []configv1.ResourceSpec{spec("cpu", 1), spec("memory", 3), spec("example.com/gpu", 5), spec("ephemeral-storage", 100)}
	for i, shape := range shapes {
		some := resources[:2+i%3]
		scorer := func() framework.Scorer { return ratio(shape, some...) }
		sim.JudgeScore(t, 60, scorer, plainCapacityRatio(shape, some...), sim.Unchanged)
		sim.JudgeScoreIn(t, 30, sim.Kind("room"), scorer, plainCapacityRatio(shape, some...), sim.Unchanged)
	}
}

func TestLineThroughPoints(t *testing.T) {
	f := func(shape []configv1.UtilizationShapePoint, utilization int, want int64) {
		t.Helper()
		if got := table(shape)[utilization]; got != want {
			t.Errorf("%v at %d%%: %d, want %d", shape, utilization, got, want)
		}
	}
	rising := points(10, 1, 90, 9)
	f(rising, 0, 10) // before the first point
	f(rising, 9, 10)
	f(rising, 10, 10)
	f(rising, 15, 15)
	f(rising, 20, 20)
	f(rising, 89, 89)
	f(rising, 90, 90)
	f(rising, 100, 90) // behind the last one
	bent := points(0, 2, 40, 10, 100, 0)
	f(bent, 20, 60)
	f(bent, 30, 80)
	f(bent, 40, 100)
	f(bent, 70, 50)
	f(bent, 100, 0)
	f(points(0, 0, 30, 1), 7, 2)   // 2.3
	f(points(0, 10, 30, 9), 7, 98) // 97.7, as the step of -2.3 is cut
	f(points(50, 3), 0, 30)
	f(points(50, 3), 100, 30)
}

func TestRatioOfCPUAndMemory(t *testing.T) {
	idle := ratio(points(0, 10, 100, 0), spec("cpu", 1), spec("memory", 1))
	a, b := sized("a", "4000", "10000"), sized("b", "6000", "10000")
	expectScores(t, idle, none(), []int64{100, 100}, a, b)
	expectScores(t, idle, asking("3000m", "5000"), []int64{38, 50}, a, b) // 37.5 is rounded
	expectScores(t, idle, asking("4000m", "5000"), []int64{50}, a)        // CPU gets nothing, and does not count
	expectScores(t, idle, asking("9000m", "20000"), []int64{0}, a)        // beyond what there is
	a.Pods = []*corev1.Pod{asking("3000m", "0"), asking("3000m", "5000")}
	expectScores(t, idle, none(), []int64{50}, a)
	expectScores(t, idle, object.Pod("p"), []int64{99}, sized("c", "4000", "9223372036854775807")) // defaults use 2% and 0%
}

func TestRatioOfScalars(t *testing.T) {
	const foo, bar = corev1.ResourceName("example.com/foo"), corev1.ResourceName("example.com/bar")
	node := func(name, foos, bars string, pods ...*corev1.Pod) sim.Site {
		return sim.Site{Node: object.Node(name, object.Resource(foo, foos), object.Resource(bar, bars)), Pods: pods}
	}
	pod := func(foos, bars string) *corev1.Pod {
		return object.Pod("p", object.Resource(foo, foos), object.Resource(bar, bars))
	}
	one := ratio(points(0, 0, 100, 1), spec(string(foo), 1))
	expectScores(t, one, object.Pod("p"), []int64{0, 0}, node("a", "8", "0"), node("b", "4", "0")) // not requested
	expectScores(t, one, pod("2", "0"), []int64{2, 5}, node("a", "8", "0"), node("b", "4", "0"))
	expectScores(t, one, pod("4", "0"), []int64{5, 10}, node("a", "8", "0"), node("b", "4", "0"))
	expectScores(t, one, pod("2", "0"), []int64{0}, node("a", "0", "4")) // not offered
	expectScores(t, one, pod("2", "0"), []int64{7}, node("a", "8", "0", pod("4", "0")))

	two := ratio(points(0, 0, 100, 1), spec(string(foo), 3), spec(string(bar), 5))
	expectScores(t, two, object.Pod("p"), []int64{0, 0}, node("a", "8", "4"), node("b", "4", "8"))
	expectScores(t, two, pod("2", "2"), []int64{4, 3}, node("a", "8", "4"), node("b", "4", "8"))
	expectScores(t, two, pod("2", "2"), []int64{4, 7}, node("a", "8", "4"), node("b", "8", "2"))
	expectScores(t, two, pod("4", "2"), []int64{5, 5}, node("a", "8", "4"), node("b", "4", "8"))
	expectScores(t, two, pod("2", "0"), []int64{2, 5}, node("a", "8", "4"), node("b", "4", "8")) // only what is requested
}

func TestStrategyMustBeOne(t *testing.T) {
	f := func(strategy *configv1.ScoringStrategy, want string) {
		t.Helper()
		fit, err := NewFit(&configv1.NodeResourcesFitArgs{ScoringStrategy: strategy})
		if err == nil || err.Error() != want || fit != nil {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	const shape = "scoringStrategy.requestedToCapacityRatio.shape: Required value"
	f(&configv1.ScoringStrategy{Type: configv1.RequestedToCapacityRatio}, shape)
	f(&configv1.ScoringStrategy{Type: configv1.RequestedToCapacityRatio, RequestedToCapacityRatio: &configv1.RequestedToCapacityRatioParam{}}, shape)
	f(&configv1.ScoringStrategy{Type: "Middle"}, `scoringStrategy.type: Unsupported value: "Middle"`)
}
