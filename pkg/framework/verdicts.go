package framework

import (
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
)

// Rejection is a refusal that holds for all nodes, or before any node was looked at.
type Rejection struct {
	Code    fwk.Code // Unschedulable, UnschedulableAndUnresolvable or Pending
	Reasons []string
}

// Reject makes a Rejection.
func Reject(code fwk.Code, reasons ...string) *Rejection {
	return &Rejection{Code: code, Reasons: reasons}
}

// Verdict is why some rows were cleared: one plugin, one code, one reason.
type Verdict struct {
	Plugin string
	Code   fwk.Code
	Reason string
	Rows   bitset.Set
}

// Verdicts collects why rows were cleared. It is filled only when somebody listens,
// that is after the hot path found no row. A row may have several reasons from one
// plugin and none from a later one.
type Verdicts struct {
	list   []Verdict
	plugin string
	size   int
}

// Reset empties the verdicts for a cluster of size rows.
func (v *Verdicts) Reset(size int) {
	v.list = v.list[:0]
	v.size = size
	v.plugin = ""
}

// By names the plugin that the next calls of Clear speak for. The chain calls it.
func (v *Verdicts) By(plugin string) { v.plugin = plugin }

// Clear takes rows out of fit and notes why. Rows that are not in fit are left
// alone. Several reasons for one row take Note for each and a Clear at the end.
func (v *Verdicts) Clear(fit, rows *bitset.Set, code fwk.Code, reason string) {
	v.Note(fit, rows, code, reason)
	fit.AndNot(rows)
}

// ClearWhere clears the rows of fit that a small table says, as its RemoveWhere does, and
// notes why. A nil v, as on the hot path, notes nothing.
func (v *Verdicts) ClearWhere(fit *bitset.Set, number []int32, remove []bool, code fwk.Code, reason string) {
	if v == nil {
		fit.RemoveWhere(number, remove)
		return
	}
	var left, gone bitset.Set
	left.CopyFrom(fit)
	left.RemoveWhere(number, remove)
	gone.CopyFrom(fit)
	gone.AndNot(&left)
	v.Clear(fit, &gone, code, reason)
}

// Note notes a reason for those of rows that are in fit, and leaves them there.
func (v *Verdicts) Note(fit, rows *bitset.Set, code fwk.Code, reason string) {
	var hit bitset.Set
	hit.CopyFrom(rows)
	hit.And(fit)
	if hit.Empty() {
		return
	}
	for i := range v.list {
		e := &v.list[i]
		if e.Plugin == v.plugin && e.Code == code && e.Reason == reason {
			e.Rows.Or(&hit)
			return
		}
	}
	v.list = append(v.list, Verdict{Plugin: v.plugin, Code: code, Reason: reason, Rows: hit})
}

// List returns the verdicts in the order of the plugins.
func (v *Verdicts) List() []Verdict { return v.list }

// Counts returns on how many rows each reason holds, by reason.
func (v *Verdicts) Counts() map[string]int {
	counts := make(map[string]int, len(v.list))
	for i := range v.list {
		counts[v.list[i].Reason] += v.list[i].Rows.Count()
	}
	return counts
}

// Plugins returns who cleared rows, each once, in the order of the chain.
func (v *Verdicts) Plugins() []string {
	var names []string
	for i := range v.list {
		if !slices.Contains(names, v.list[i].Plugin) {
			names = append(names, v.list[i].Plugin)
		}
	}
	return names
}

// Resolvable returns the rows that preemption may try: those where every reason has
// the code Unschedulable.
func (v *Verdicts) Resolvable() bitset.Set {
	var may, never bitset.Set
	may.Resize(v.size)
	never.Resize(v.size)
	for i := range v.list {
		if v.list[i].Code == fwk.UnschedulableAndUnresolvable {
			never.Or(&v.list[i].Rows)
		} else {
			may.Or(&v.list[i].Rows)
		}
	}
	may.AndNot(&never)
	return may
}

// Row returns the code and the reasons of one row. The code is Success when the row
// was not cleared.
func (v *Verdicts) Row(row int32) (code fwk.Code, reasons []string) {
	for i := range v.list {
		e := &v.list[i]
		if !e.Rows.Has(row) {
			continue
		}
		if code != fwk.UnschedulableAndUnresolvable {
			code = e.Code
		}
		reasons = append(reasons, e.Reason)
	}
	return code, reasons
}
