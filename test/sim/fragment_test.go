package sim

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// zoned is a plugin about the zone that a pod selects, and its mistakes: something else
// that it looks at, and that its fragment leaves out.
type zoned struct{ looksAt string }

func (zoned) Name() string           { return "Zoned" }
func (zoned) Norm() framework.Norm   { return framework.NormNone }
func (zoned) Scope() framework.Scope { return framework.PerRow }
func zone(p *podspec.Pod) string     { return p.API.Spec.NodeSelector[corev1.LabelTopologyZone] }
func zoneOf(n *corev1.Node) string   { return n.Labels[corev1.LabelTopologyZone] }
func (z zoned) odd(at string, p *podspec.Pod) bool {
	switch {
	case at != z.looksAt:
		return false
	case strings.HasSuffix(at, "priority"):
		return p.Priority != 0
	case strings.HasSuffix(at, "ports"):
		return len(p.HostPorts) > 0
	}
	return p.Namespace == "other"
}

func (z zoned) Fragment(p *podspec.Pod) string { return zone(p) }

func (z zoned) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	var out bitset.Set
	out.CopyFrom(fit)
	for row := range fit.All() {
		if zoneOf(c.View.Node(row)) == zone(c.Pod) && !z.odd("filters by priority", c.Pod) {
			out.Remove(row)
		}
	}
	why.Clear(fit, &out, fwk.Unschedulable, "elsewhere")
	return nil
}

func (z zoned) Score(c *framework.Cycle, rows []int32, out []int64) error {
	for i := range rows {
		if z.odd("scores by ports", c.Pod) {
			out[i]++
		}
	}
	return nil
}

func (z zoned) Hints() []framework.Hint {
	ask := func(_ *cluster.View, p *podspec.Pod, _, after any) (fwk.QueueingHint, error) {
		if z.odd("wakes by namespace", p) {
			return fwk.Queue, errors.New("odd")
		}
		return fwk.QueueSkip, nil
	}
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeLabel}, Ask: ask},
		{On: fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Delete}},
	}
}

func TestJudgeFragmentFindsWhatAFragmentLeavesOut(t *testing.T) {
	for _, mistake := range []string{"filters by priority", "scores by ports", "wakes by namespace"} {
		var found error
		for seed := uint64(1); seed < 100 && found == nil; seed++ {
			found = judgeFragment(seed, (*Gen).Furnished, zoned{mistake})
		}
		if found == nil || !strings.Contains(found.Error(), "have the fragment") {
			t.Errorf("a plugin that %s is not found out: %v", mistake, found)
		}
	}
	JudgeFragment(t, 100, (*Gen).Furnished, func() framework.Plugin { return zoned{} })
}

func TestEventsReachTheHintsForThem(t *testing.T) {
	node, bound, waiting := &corev1.Node{}, &corev1.Pod{Spec: corev1.PodSpec{NodeName: "n"}}, &corev1.Pod{}
	list := events([]Change{
		{NodeAfter: node}, {NodeBefore: node, NodeAfter: node}, {NodeBefore: node},
		{PodAfter: bound}, {PodBefore: bound}, {PodBefore: waiting, PodAfter: waiting},
	})
	f := func(on fwk.EventResource, actions fwk.ActionType, want string) {
		t.Helper()
		got := make([]bool, len(list))
		for i, e := range list {
			got[i] = e.reaches(fwk.ClusterEvent{Resource: on, ActionType: actions})
		}
		if text := strings.Trim(fmt.Sprint(got), "[]"); text != want {
			t.Errorf("%s %v: %s, want %s", on, actions, text, want)
		}
	}
	f(fwk.Node, fwk.Add|fwk.UpdateNodeLabel, "true true false false false")
	f(fwk.Node, fwk.Delete, "false false true false false")
	f(fwk.AssignedPod, fwk.Delete, "false false false false true")
	f(fwk.AssignedPod, fwk.Add, "false false false true false")
}
