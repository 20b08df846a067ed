package sim

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Rule is the plain definition of a filter: whether one node, with the pods on it,
// takes a pod. The code is Success when it does. Reasons may come in any order.
type Rule func(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string)

// Judge holds a filter against its plain definition on n random worlds: without and
// with reasons, for all rows and for each alone, and with pods added and removed by
// Try.
func Judge(t testing.TB, n int, plugin func() framework.Filter, plain Rule) {
	t.Helper()
	JudgeIn(t, n, (*Gen).World, plugin, plain)
}

// JudgeIn is Judge on worlds of a kind: (*Gen).Furnished, or the Draw of a Stratum.
func JudgeIn(t testing.TB, n int, draw func(*Gen) *World, plugin func() framework.Filter, plain Rule) {
	t.Helper()
	Each(t, n, func(seed uint64) error { return judge(seed, draw, plugin(), plain) })
}

// trial is one plugin on one world.
type trial struct {
	gen    *Gen
	world  *World
	specs  *podspec.Compiler
	cycle  framework.Cycle
	plugin framework.Filter
	plain  Rule

	on      map[string][]*corev1.Pod // by node, as Try left them
	changes []string                 // what Try did
	skip    bool                     // PreFilter said so
	reject  *framework.Rejection     // PreFilter refused the pod
}

func judge(seed uint64, draw func(*Gen) *World, plugin framework.Filter, plain Rule) error {
	g := New(seed)
	tr := &trial{gen: g, world: draw(g), specs: podspec.NewCompiler(), plugin: plugin, plain: plain}
	c := tr.world.Load(tr.specs)
	tr.cycle.View, tr.cycle.Try = &c.View, c.Try()
	for _, p := range tr.candidates() {
		if err := tr.judgePod(p); err != nil {
			return fmt.Errorf("%s\n%w\nTry: %v\n%s", PodLine(p), err, tr.changes, tr.world)
		}
	}
	return nil
}

// candidates are the pods that wait, and some of those that are on nodes: they name
// one.
func (tr *trial) candidates() []*corev1.Pod {
	pods := slices.Clone(tr.world.Pending)
	for range min(2, len(tr.world.Bound)) {
		pods = append(pods, Pick(tr.gen, tr.world.Bound...))
	}
	return pods
}

func (tr *trial) judgePod(p *corev1.Pod) error {
	tr.cycle.Pod = tr.specs.Compile(p)
	tr.changes = nil
	tr.on = tr.asLoaded()
	rows, err := tr.prepare()
	if err != nil {
		return err
	}
	if tr.reject != nil {
		return tr.compareReject()
	}
	if err := tr.compare(rows); err != nil {
		return err
	}
	mark := tr.cycle.Try.Mark()
	tr.whatIf()
	err = tr.compare(rows)
	tr.cycle.Try.Rollback(mark)
	if err != nil {
		return err
	}
	tr.on, tr.changes = tr.asLoaded(), append(tr.changes, "rolled back")
	return tr.compare(rows)
}

// prepare runs PreFilter and returns the rows that it leaves; nil is all.
func (tr *trial) prepare() (*bitset.Set, error) {
	tr.skip, tr.reject = false, nil
	pre, ok := tr.plugin.(framework.PreFilter)
	if !ok {
		return nil, nil
	}
	prep := pre.PreFilter(&tr.cycle)
	if prep.Err != nil {
		return nil, fmt.Errorf("PreFilter: %w", prep.Err)
	}
	tr.skip, tr.reject = prep.Skip, prep.Reject
	if prep.Names == nil {
		return nil, nil
	}
	return rowsOf(tr.cycle.View, prep.Names), nil
}

// rowsOf returns the rows of those nodes that are there.
func rowsOf(v *cluster.View, names []string) *bitset.Set {
	var rows bitset.Set
	rows.Resize(v.Rows())
	for _, name := range names {
		if row, known := v.Row(name); known {
			rows.Add(row)
		}
	}
	return &rows
}

// asLoaded returns the pods of each node without what Try did.
func (tr *trial) asLoaded() map[string][]*corev1.Pod {
	on := map[string][]*corev1.Pod{}
	for _, n := range tr.world.Nodes {
		on[n.Name] = tr.world.On(n.Name)
	}
	return on
}

// whatIf adds and removes a few pods.
func (tr *trial) whatIf() {
	for range tr.gen.Between(1, 4) {
		if tr.gen.Chance(50) {
			tr.tryRemove()
		} else {
			tr.tryAdd()
		}
	}
}

func (tr *trial) tryRemove() {
	if len(tr.world.Bound) == 0 {
		return
	}
	p := Pick(tr.gen, tr.world.Bound...)
	if tr.cycle.Try.Remove(p.UID) {
		node := p.Spec.NodeName
		tr.on[node] = slices.DeleteFunc(tr.on[node], func(o *corev1.Pod) bool { return o == p })
		tr.changes = append(tr.changes, "removed "+p.Name)
	}
}

func (tr *trial) tryAdd() {
	if len(tr.world.Nodes) == 0 {
		return
	}
	n := Pick(tr.gen, tr.world.Nodes...)
	row, _ := tr.cycle.View.Row(n.Name)
	p := Pick(tr.gen, tr.world.Pending...)
	tr.cycle.Try.Add(tr.specs.Compile(p), row)
	tr.on[n.Name] = append(tr.on[n.Name], p)
	tr.changes = append(tr.changes, fmt.Sprintf("added %s to %s", p.Name, n.Name))
}
