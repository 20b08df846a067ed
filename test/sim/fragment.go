package sim

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// JudgeFragment holds a Keeper to its word on n random worlds of a kind: pods with equal
// fragments get equal answers, of its filter, its scorer and its hints. The pods are
// those of the world, and mixtures of two of them.
func JudgeFragment(t testing.TB, n int, draw func(*Gen) *World, plugin func() framework.Plugin) {
	t.Helper()
	Each(t, n, func(seed uint64) error { return judgeFragment(seed, draw, plugin()) })
}

func judgeFragment(seed uint64, draw func(*Gen) *World, plugin framework.Plugin) error {
	g := New(seed)
	w, specs := draw(g), podspec.NewCompiler()
	if len(w.Nodes) == 0 {
		return nil
	}
	c := w.Load(specs)
	cycle := &framework.Cycle{View: &c.View, Try: c.Try()}
	happened := events(g.Changes(w, w.Pending[0]))
	type told struct{ pod, answers string }
	seen := map[string]told{}
	for _, p := range g.mixtures(w) {
		cycle.Pod = specs.Compile(p)
		now := told{PodLine(p), answers(plugin, cycle) + wakes(plugin, cycle, happened)}
		key := plugin.(framework.Keeper).Fragment(cycle.Pod)
		before, known := seen[key]
		if known && before.answers != now.answers {
			return fmt.Errorf("%s\nand\n%s\nhave the fragment %q, and get\n%s\nand\n%s\nin\n%s",
				before.pod, now.pod, key, before.answers, now.answers, w)
		}
		seen[key] = now
	}
	return nil
}

// aspects are what a mixture may have from another pod.
var aspects = []func(p, from *corev1.Pod){
	func(p, from *corev1.Pod) { p.ObjectMeta = from.ObjectMeta },
	func(p, from *corev1.Pod) { p.Status = from.Status },
	func(p, from *corev1.Pod) { p.Spec.NodeName = from.Spec.NodeName },
	func(p, from *corev1.Pod) { p.Spec.NodeSelector = from.Spec.NodeSelector },
	func(p, from *corev1.Pod) { p.Spec.Affinity = from.Spec.Affinity },
	func(p, from *corev1.Pod) { p.Spec.Tolerations = from.Spec.Tolerations },
	func(p, from *corev1.Pod) { p.Spec.Priority = from.Spec.Priority },
	func(p, from *corev1.Pod) { p.Spec.Volumes = from.Spec.Volumes },
	func(p, from *corev1.Pod) { p.Spec.Overhead, p.Spec.Resources = from.Spec.Overhead, from.Spec.Resources },
	func(p, from *corev1.Pod) {
		p.Spec.HostNetwork, p.Spec.HostUsers = from.Spec.HostNetwork, from.Spec.HostUsers
	},
	func(p, from *corev1.Pod) { p.Spec.InitContainers = from.Spec.InitContainers },
	eachContainer(func(c, from *corev1.Container) { c.Ports = from.Ports }),
	eachContainer(func(c, from *corev1.Container) { c.Image = from.Image }),
	eachContainer(func(c, from *corev1.Container) { c.Resources = from.Resources }),
	eachContainer(func(c, from *corev1.Container) { c.VolumeMounts = from.VolumeMounts }),
	eachContainer(func(c, from *corev1.Container) { c.RestartPolicyRules = from.RestartPolicyRules }),
}

func eachContainer(copy func(c, from *corev1.Container)) func(p, from *corev1.Pod) {
	return func(p, from *corev1.Pod) {
		for i := range min(len(p.Spec.Containers), len(from.Spec.Containers)) {
			copy(&p.Spec.Containers[i], &from.Spec.Containers[i])
		}
	}
}

// mixtures draws pods that have most from one pod of the world and some from another.
func (g *Gen) mixtures(w *World) []*corev1.Pod {
	pods := append(append([]*corev1.Pod{}, w.Pending...), w.Bound...)
	list := pods[:len(pods):len(pods)]
	for range 20 {
		p, from := Pick(g, pods...).DeepCopy(), Pick(g, pods...).DeepCopy()
		for range g.Between(1, 3) {
			Pick(g, aspects...)(p, from)
		}
		list = append(list, p)
	}
	return list
}

// answers tells what a plugin's filter and scorer say of every row.
func answers(plugin framework.Plugin, c *framework.Cycle) string {
	var b strings.Builder
	if f, ok := plugin.(framework.Filter); ok {
		b.WriteString(filterAnswers(f, c))
	}
	if s, ok := plugin.(framework.Scorer); ok {
		rows := c.View.Live().AppendTo(nil)
		out := make([]int64, len(rows))
		prep := (onlyScorer{s}).PreScore(c, rows)
		if prep.Err == nil && !prep.Skip {
			prep.Err = s.Score(c, rows, out)
		}
		fmt.Fprintln(&b, "scores", out, prep.Err)
	}
	return b.String()
}

// filterAnswers takes a Skip for what it says: every row is taken.
func filterAnswers(f framework.Filter, c *framework.Cycle) string {
	var b strings.Builder
	var fit bitset.Set
	fit.CopyFrom(c.View.Live())
	var why framework.Verdicts
	why.Reset(c.View.Rows())
	if pre, ok := f.(framework.PreFilter); ok {
		switch prep := pre.PreFilter(c); {
		case prep.Err != nil:
			return fmt.Sprintln("error", prep.Err)
		case prep.Reject != nil:
			return fmt.Sprintln("rejects", prep.Reject.Code, prep.Reject.Reasons)
		case prep.Names != nil:
			fit.And(rowsOf(c.View, prep.Names))
		case prep.Skip:
			return fmt.Sprintln("takes", &fit)
		}
	}
	err := f.Narrow(c, &fit, &why)
	fmt.Fprintln(&b, "takes", &fit, err)
	for row := range c.View.Live().All() {
		if code, reasons := why.Row(row); code != fwk.Success {
			fmt.Fprintln(&b, row, code, reasons)
		}
	}
	return b.String()
}
