package sim

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Sites makes nodes with pods on them of words, as object.NodeOf and object.Is read them:
// "a zone=z1: app=x; 3 app=y | b" is a node a with a pod and three others, and a node b.
func Sites(text string) []Site {
	var sites []Site
	for _, part := range strings.Split(text, "|") {
		node, pods, _ := strings.Cut(part, ": ")
		s := Site{Node: object.NodeOf(node)}
		for _, words := range strings.Split(pods, ";") {
			words = strings.TrimSpace(words)
			first, rest, _ := strings.Cut(words, " ")
			count, err := strconv.Atoi(first)
			if err != nil {
				count, rest = min(len(words), 1), words
			}
			for range count {
				s.Pods = append(s.Pods, object.PodOf(rest))
			}
		}
		sites = append(sites, s)
	}
	return sites
}

// WorldOf is the world of some sites.
func WorldOf(sites []Site) *World {
	w := &World{}
	for _, s := range sites {
		w.Nodes = append(w.Nodes, s.Node)
		w.Bound = append(w.Bound, placed(s.Node.Name, s.Pods)...)
	}
	return w
}

// Verdicts asks a filter about a pod on a world, and tells what it says of each node in
// turn, as Ask does. What PreFilter says of all of them is said once, with its name.
func Verdicts(plugin framework.Filter, pod *corev1.Pod, w *World) []string {
	return VerdictsAfter(plugin, pod, w)
}

// Move is what Try makes of a node: a pod more, or without one the nth less.
type Move struct {
	Node   string
	Add    *corev1.Pod
	Remove int
}

// VerdictsAfter is Verdicts once Try has moved pods behind PreFilter's back.
func VerdictsAfter(plugin framework.Filter, pod *corev1.Pod, w *World, moves ...Move) []string {
	c, cycle := cycleOf(w, pod)
	if pre, ok := plugin.(framework.PreFilter); ok {
		if said := preFiltered(pre.PreFilter(cycle)); said != "" {
			return []string{said}
		}
	}
	mark := cycle.Try.Mark()
	defer cycle.Try.Rollback(mark)
	specs := podspec.NewCompiler()
	specs.Resources = c.View.Resources()
	for _, m := range moves {
		row, _ := c.Row(m.Node)
		if m.Add != nil {
			cycle.Try.Add(specs.Compile(m.Add), row)
		} else {
			cycle.Try.Remove(placedUID(m.Node, m.Remove))
		}
	}
	return narrowed(plugin, w, c, cycle)
}

func cycleOf(w *World, pod *corev1.Pod) (*cluster.Cluster, *framework.Cycle) {
	specs := podspec.NewCompiler()
	c := w.Load(specs)
	return c, &framework.Cycle{View: &c.View, Try: c.Try(), Pod: specs.Compile(pod)}
}

// preFiltered tells what PreFilter said of all nodes, if it did.
func preFiltered(prep framework.Prep) string {
	switch {
	case prep.Err != nil:
		return "PreFilter error: " + prep.Err.Error()
	case prep.Reject != nil:
		return "PreFilter " + answer(prep.Reject.Code, prep.Reject.Reasons)
	case prep.Skip:
		return "PreFilter skips"
	}
	return ""
}

// narrowed narrows twice, with and without reasons, which must agree.
func narrowed(plugin framework.Filter, w *World, c *cluster.Cluster, cycle *framework.Cycle) []string {
	var fit, explained bitset.Set
	fit.CopyFrom(c.Live())
	explained.CopyFrom(c.Live())
	var why framework.Verdicts
	why.Reset(c.Rows())
	if err := plugin.Narrow(cycle, &fit, nil); err != nil {
		return []string{"error: " + err.Error()}
	}
	if err := plugin.Narrow(cycle, &explained, &why); err != nil {
		return []string{"error: " + err.Error()}
	}
	var list []string
	for _, n := range w.Nodes {
		row, _ := c.Row(n.Name)
		code, reasons := why.Row(row)
		if fits := code == fwk.Success; fits != fit.Has(row) || fits != explained.Has(row) {
			list = append(list, "with and without reasons it differs")
			continue
		}
		list = append(list, answer(code, reasons))
	}
	return list
}
