// Package tainttoleration keeps pods off nodes with taints that they do not
// tolerate, and prefers nodes with fewer untolerated PreferNoSchedule taints.
//
// Nodes share few distinct lists of taints. The pod's tolerations are held against
// each list once; a row costs one look-up of its list's number.
package tainttoleration

import (
	"fmt"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "TaintToleration"
	// Reason is why a tainted node was cleared.
	Reason = "node(s) had untolerated taint(s)"
)

// TaintToleration is the plugin. CompareOperators is the gate
// TaintTolerationComparisonOperators, which lets tolerations use Gt and Lt.
type TaintToleration struct {
	CompareOperators bool

	blocked []bool  // by number of a taint list: the pod may not go there
	any     bool    // some list is blocked
	soft    []int64 // by number of a taint list: untolerated PreferNoSchedule taints
}

var (
	_ framework.PreFilter = (*TaintToleration)(nil)
	_ framework.Filter    = (*TaintToleration)(nil)
	_ framework.PreScorer = (*TaintToleration)(nil)
	_ framework.Scorer    = (*TaintToleration)(nil)
	_ framework.Keeper    = (*TaintToleration)(nil)
)

// Name returns the plugin's name.
func (*TaintToleration) Name() string { return Name }

// PreFilter holds the pod's tolerations against each list of taints.
func (t *TaintToleration) PreFilter(c *framework.Cycle) framework.Prep {
	t.blocked, t.any = t.blocked[:0], false
	for _, taints := range c.View.TaintLists() {
		blocked := t.untolerated(taints, c.Pod.Tolerations)
		t.blocked = append(t.blocked, blocked)
		t.any = t.any || blocked
	}
	return framework.Prep{}
}

func (t *TaintToleration) untolerated(taints []corev1.Taint, tolerations []corev1.Toleration) bool {
	for i := range taints {
		if effect := taints[i].Effect; effect != corev1.TaintEffectNoSchedule && effect != corev1.TaintEffectNoExecute {
			continue
		}
		if !corev1helpers.TolerationsTolerateTaint(logr.Discard(), tolerations, &taints[i], t.CompareOperators) {
			return true
		}
	}
	return false
}

// Narrow clears the rows whose list of taints is blocked.
func (t *TaintToleration) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if !t.any { // no taints, or all tolerated
		return nil
	}
	why.ClearWhere(fit, c.View.TaintSet(), t.blocked, fwk.UnschedulableAndUnresolvable, Reason)
	return nil
}

// PreScore counts, for each list, the PreferNoSchedule taints that the pod does not
// tolerate.
func (t *TaintToleration) PreScore(c *framework.Cycle, _ []int32) framework.Prep {
	t.soft = t.soft[:0]
	for _, taints := range c.View.TaintLists() {
		t.soft = append(t.soft, t.intolerable(taints, c.Pod.PreferTolerations))
	}
	return framework.Prep{}
}

func (t *TaintToleration) intolerable(taints []corev1.Taint, tolerations []corev1.Toleration) int64 {
	var n int64
	for i := range taints {
		if taints[i].Effect == corev1.TaintEffectPreferNoSchedule &&
			!corev1helpers.TolerationsTolerateTaint(logr.Discard(), tolerations, &taints[i], t.CompareOperators) {
			n++
		}
	}
	return n
}

// Score gives each row the count of its list.
func (t *TaintToleration) Score(c *framework.Cycle, rows []int32, out []int64) error {
	lists := c.View.TaintSet()
	for i, row := range rows {
		out[i] = t.soft[lists[row]]
	}
	return nil
}

// Norm turns the counts round: none is best.
func (*TaintToleration) Norm() framework.Norm { return framework.NormMaxReversed }

// Fragment spells the tolerations out.
func (*TaintToleration) Fragment(p *podspec.Pod) string {
	var b strings.Builder
	for i := range p.Tolerations {
		t := &p.Tolerations[i]
		fmt.Fprintf(&b, "%s %s %s %s\n", t.Key, t.Operator, t.Value, t.Effect)
	}
	return b.String()
}

// Scope is the row.
func (*TaintToleration) Scope() framework.Scope { return framework.PerRow }
