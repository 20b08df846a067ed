package nodeunschedulable

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

// plainNodeUnschedulable refuses a cordoned node unless the pod tolerates the taint
// that the cordon stands for.
func plainNodeUnschedulable(compare bool) sim.Rule {
	taint := &corev1.Taint{Key: "node.kubernetes.io/unschedulable", Effect: corev1.TaintEffectNoSchedule}
	return func(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
		if !node.Spec.Unschedulable ||
			corev1helpers.TolerationsTolerateTaint(logr.Discard(), pod.Spec.Tolerations, taint, compare) {
			return fwk.Success, nil
		}
		return fwk.UnschedulableAndUnresolvable, []string{"node(s) were unschedulable"}
	}
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	for _, compare := range []bool{false, true} {
		plugin := func() framework.Filter { return &NodeUnschedulable{CompareOperators: compare} }
		sim.Judge(t, 300, plugin, plainNodeUnschedulable(compare))
	}
}

func TestCordonIsToleratedAsATaint(t *testing.T) {
	const key = corev1.TaintNodeUnschedulable
	const refused = "UnschedulableAndUnresolvable: node(s) were unschedulable"
	cordoned, open := object.Node("n", object.Cordoned()), object.Node("n")
	f := func(node *corev1.Node, want string, options ...object.PodOption) {
		t.Helper()
		pod := object.Pod("p", options...)
		if got := sim.Ask(&NodeUnschedulable{}, node, nil, pod); got != want {
			t.Errorf("%s on %s: %s, want %s", sim.PodLine(pod), sim.NodeLine(node), got, want)
		}
	}
	f(open, "Success")
	f(cordoned, refused)
	f(cordoned, "Success", object.Tolerate(key, "", corev1.TaintEffectNoSchedule))
	f(cordoned, "Success", object.Tolerate(key, "", ""))
	f(cordoned, "Success", object.Tolerate("", "", "")) // everything
	f(cordoned, refused, object.Tolerate(key, "", corev1.TaintEffectNoExecute))
	f(cordoned, refused, object.Tolerate(key, "x", corev1.TaintEffectNoSchedule)) // the cordon's value is empty
	f(cordoned, refused, object.Tolerate("other", "", ""))
}

func TestUncordonedNodeWakes(t *testing.T) {
	cordoned, open := object.Node("n", object.Cordoned()), object.Node("n")
	f := func(action fwk.ActionType, before, after any, want string) {
		t.Helper()
		if got := sim.Wake(&NodeUnschedulable{}, fwk.Node, action, object.Pod("p"), before, after); got != want {
			t.Errorf("%v: %s, want %s", action, got, want)
		}
	}
	f(fwk.Add, nil, open, "Queue")
	f(fwk.Add, nil, cordoned, "QueueSkip")
	f(fwk.UpdateNodeTaint, cordoned, open, "Queue")
	f(fwk.UpdateNodeTaint, open, open, "QueueSkip") // it was open before
	f(fwk.UpdateNodeTaint, cordoned, cordoned, "QueueSkip")
	f(fwk.UpdateNodeTaint, open, cordoned, "QueueSkip")
	f(fwk.UpdateNodeLabel, cordoned, open, "none")
	f(fwk.Delete, cordoned, nil, "none")
	f(fwk.Add, nil, object.Pod("p"), "Queue: expected *v1.Node as the new object of an event, got *v1.Pod")
}

func TestTolerationForTheCordonWakes(t *testing.T) {
	plain := object.Pod("p")
	f := func(want string, options ...object.PodOption) {
		t.Helper()
		got := sim.Wake(&NodeUnschedulable{}, fwk.TargetPod, fwk.UpdatePodToleration, plain, plain, object.Pod("p", options...))
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	f("Queue", object.Tolerate(corev1.TaintNodeUnschedulable, "", corev1.TaintEffectNoSchedule))
	f("QueueSkip", object.Tolerate("other", "", ""))
}
