package sim

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Ask asks a filter about one node, with pods on it, and tells its answer: the code,
// and the reasons in their order, as in "Unschedulable: Too many pods, Insufficient
// cpu". The pods need no UID and no node.
func Ask(plugin framework.Filter, node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) string {
	specs := podspec.NewCompiler()
	c := (&World{Nodes: []*corev1.Node{node}, Bound: placed(node.Name, pods)}).Load(specs)
	cycle := &framework.Cycle{View: &c.View, Try: c.Try(), Pod: specs.Compile(pod)}
	if pre, ok := plugin.(framework.PreFilter); ok {
		switch prep := pre.PreFilter(cycle); {
		case prep.Err != nil:
			return "error: " + prep.Err.Error()
		case prep.Reject != nil:
			return answer(prep.Reject.Code, prep.Reject.Reasons)
		case prep.Skip:
			return answer(fwk.Success, nil)
		}
	}
	var fit bitset.Set
	fit.CopyFrom(c.Live())
	var why framework.Verdicts
	why.Reset(c.Rows())
	if err := plugin.Narrow(cycle, &fit, &why); err != nil {
		return "error: " + err.Error()
	}
	row, _ := c.Row(node.Name)
	return answer(why.Row(row))
}

func answer(code fwk.Code, reasons []string) string {
	if len(reasons) == 0 {
		return code.String()
	}
	return code.String() + ": " + strings.Join(reasons, ", ")
}

// placed returns copies of pods that are on a node, with a UID each.
func placed(node string, pods []*corev1.Pod) []*corev1.Pod {
	var out []*corev1.Pod
	for i, p := range pods {
		p = p.DeepCopy()
		p.Spec.NodeName = node
		p.UID = placedUID(node, i)
		out = append(out, p)
	}
	return out
}

func placedUID(node string, i int) types.UID { return types.UID(fmt.Sprintf("%s/%d", node, i)) }

// Site is a node with pods on it, for Scores.
type Site struct {
	Node *corev1.Node
	Pods []*corev1.Pod
}

// Scores returns what a scorer gives each site, raw and normalised over all. The
// second is nil for a single site, which a chain does not score.
func Scores(plugin framework.Scorer, pod *corev1.Pod, sites ...Site) (raw, normal []int64, err error) {
	return ScoresIn(plugin, pod, WorldOf(sites))
}

// ScoresIn is Scores on a world, over its nodes without those that are left out.
func ScoresIn(plugin framework.Scorer, pod *corev1.Pod, w *World, leftOut ...string) (raw, normal []int64, err error) {
	specs := podspec.NewCompiler()
	s, err := newScale(plugin, w.Load(specs))
	if err != nil {
		return nil, nil, err
	}
	s.cycle.Pod = specs.Compile(pod)
	rows := s.rows(slices.DeleteFunc(slices.Clone(w.Nodes), func(n *corev1.Node) bool { return slices.Contains(leftOut, n.Name) }))
	if raw, err = s.raw(rows); err != nil || len(rows) < 2 {
		return raw, nil, err
	}
	normal, err = s.normalised(s.cycle.Pod, rows)
	return raw, normal, err
}
