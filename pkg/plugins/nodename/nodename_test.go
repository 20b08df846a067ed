package nodename

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// plainNodeName takes the named node, and every node when none is named.
func plainNodeName(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
	if pod.Spec.NodeName == "" || pod.Spec.NodeName == node.Name {
		return fwk.Success, nil
	}
	return fwk.UnschedulableAndUnresolvable, []string{"node(s) didn't match the requested node name"}
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	sim.Judge(t, 300, func() framework.Filter { return &NodeName{} }, plainNodeName)
}

func TestPodThatNamesANodeGoesNowhereElse(t *testing.T) {
	w := sim.World{Nodes: []*corev1.Node{object.Node("n1"), object.Node("n2")}}
	specs := podspec.NewCompiler()
	c := w.Load(specs)
	var plugin NodeName
	f := func(node string, skip bool) {
		t.Helper()
		cycle := &framework.Cycle{View: &c.View, Pod: specs.Compile(object.Pod("p", object.OnNode(node)))}
		prep := plugin.PreFilter(cycle)
		if prep.Skip != skip {
			t.Errorf("%q: PreFilter skips: %v, want %v", node, prep.Skip, skip)
		}
		if skip {
			return
		}
		if got := prep.Names; len(got) != 1 || got[0] != node {
			t.Errorf("%q: PreFilter leaves %v, want that node", node, got)
		}
	}
	f("", true)
	f("n1", false)
	f("n2", false)
	f("n3", false) // not seen yet, or gone
}

func TestNewNodeMayBeTheNamedOne(t *testing.T) {
	hints := (&NodeName{}).Hints()
	want := fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}
	if len(hints) != 1 || hints[0].On != want || hints[0].Ask != nil {
		t.Errorf("hints are %v, want %v without a question", hints, want)
	}
}
