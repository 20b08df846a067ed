package tainttoleration

import (
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

const (
	noSchedule = corev1.TaintEffectNoSchedule
	prefer     = corev1.TaintEffectPreferNoSchedule
	noExecute  = corev1.TaintEffectNoExecute
)

// plainTaints refuses a node with a NoSchedule or NoExecute taint that the pod does
// not tolerate.
func plainTaints(compare bool) sim.Rule {
	return func(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
		_, found := corev1helpers.FindMatchingUntoleratedTaint(logr.Discard(), node.Spec.Taints, pod.Spec.Tolerations,
			func(t *corev1.Taint) bool { return t.Effect == noSchedule || t.Effect == noExecute }, compare)
		if found {
			return fwk.UnschedulableAndUnresolvable, []string{"node(s) had untolerated taint(s)"}
		}
		return fwk.Success, nil
	}
}

// plainSoftTaints counts the PreferNoSchedule taints that no toleration for them or
// for all effects tolerates.
func plainSoftTaints(compare bool) sim.Rate {
	return func(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) int64 {
		var count int64
		for i := range node.Spec.Taints {
			taint := &node.Spec.Taints[i]
			if taint.Effect != prefer {
				continue
			}
			var may []corev1.Toleration
			for _, toleration := range pod.Spec.Tolerations {
				if toleration.Effect == "" || toleration.Effect == prefer {
					may = append(may, toleration)
				}
			}
			if !corev1helpers.TolerationsTolerateTaint(logr.Discard(), may, taint, compare) {
				count++
			}
		}
		return count
	}
}

// plainReversed is 100 for none and 0 for the most; where nobody has any, all get 100.
func plainReversed(raw []int64) []int64 {
	var most int64
	for _, n := range raw {
		most = max(most, n)
	}
	out := make([]int64, len(raw))
	for i, n := range raw {
		if out[i] = 100; most > 0 {
			out[i] -= 100 * n / most
		}
	}
	return out
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	for _, compare := range []bool{false, true} {
		filter := func() framework.Filter { return &TaintToleration{CompareOperators: compare} }
		sim.Judge(t, 300, filter, plainTaints(compare))
		scorer := func() framework.Scorer { return &TaintToleration{CompareOperators: compare} }
		sim.JudgeScore(t, 300, scorer, plainSoftTaints(compare), plainReversed)
	}
}

func TestTaintIsToleratedByKeyOperatorValueAndEffect(t *testing.T) {
	f := func(key, value string, effect corev1.TaintEffect, tolerates bool, tolerations ...corev1.Toleration) {
		t.Helper()
		node := object.Node("n", object.Taint(key, value, effect))
		pod := object.Pod("p")
		pod.Spec.Tolerations = tolerations
		want := "Success"
		if !tolerates {
			want = "UnschedulableAndUnresolvable: node(s) had untolerated taint(s)"
		}
		if got := sim.Ask(&TaintToleration{}, node, nil, pod); got != want {
			t.Errorf("%s with %s=%s:%s: %s, want %s", sim.PodLine(pod), key, value, effect, got, want)
		}
	}
	equal, exists := corev1.TolerationOpEqual, corev1.TolerationOpExists
	f("k", "v", noSchedule, false)
	f("k", "v", noExecute, false)
	f("k", "v", prefer, true) // never filters
	f("k", "v", noSchedule, true, corev1.Toleration{Key: "k", Operator: equal, Value: "v", Effect: noSchedule})
	f("k", "v", noSchedule, true, corev1.Toleration{Key: "k", Value: "v"}) // no operator is Equal, no effect is all
	f("k", "v", noSchedule, false, corev1.Toleration{Key: "k", Operator: equal, Value: "w"})
	f("k", "v", noSchedule, true, corev1.Toleration{Key: "k", Operator: exists})
	f("k", "v", noSchedule, false, corev1.Toleration{Key: "l", Operator: exists})
	f("k", "v", noSchedule, false, corev1.Toleration{Key: "k", Operator: exists, Effect: noExecute})
	f("k", "v", noSchedule, false, corev1.Toleration{Key: "k", Operator: exists, Effect: prefer})
	f("k", "v", noExecute, true, corev1.Toleration{Operator: exists}) // everything
	f("k", "v", noExecute, false, corev1.Toleration{Operator: exists, Effect: noSchedule})
	f("k", "5", noSchedule, false, corev1.Toleration{Key: "k", Operator: corev1.TolerationOpGt, Value: "3"}) // the gate is off
}

func TestComparingTolerationsNeedTheirGateAndNumbers(t *testing.T) {
	f := func(taint string, op corev1.TolerationOperator, value string, tolerates bool) {
		t.Helper()
		node := object.Node("n", object.Taint("k", taint, noSchedule))
		pod := object.Pod("p")
		pod.Spec.Tolerations = []corev1.Toleration{{Key: "k", Operator: op, Value: value}}
		if got := sim.Ask(&TaintToleration{CompareOperators: true}, node, nil, pod); (got == "Success") != tolerates {
			t.Errorf("taint %s, toleration %s %s: %s, want tolerated: %v", taint, op, value, got, tolerates)
		}
	}
	gt, lt := corev1.TolerationOpGt, corev1.TolerationOpLt
	f("5", gt, "3", true)
	f("3", gt, "5", false)
	f("5", gt, "5", false)
	f("3", lt, "5", true)
	f("5", lt, "3", false)
	f("-7", lt, "-6", true)
	f("5", gt, "x", false)
	f("x", gt, "5", false)
	f("05", gt, "3", false) // not how the number is written
	f("9223372036854775808", gt, "3", false)
}
