package cluster

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Area is the rows of a Where. Nil is all of them.
type Area struct {
	where   podspec.Where
	accepts func(*corev1.Node) bool // what the pod asks of a node beyond labels it must have
	rows    bitset.Set
	used    uint64 // the turn in which it was asked for last
}

// Area returns the rows of w, which are kept up to date from now on. judge makes who
// says which nodes the policies of w take, and is called when nobody does yet. That may
// go by their name, labels and taints.
func (v *View) Area(w *podspec.Where, judge func(*podspec.Where) func(*corev1.Node) bool) *Area {
	if w.Key == "" { // most pods
		return nil
	}
	a := v.topology.areas[w.Key]
	if a == nil {
		a = &Area{where: *w, accepts: judge(w)}
		a.rows.Resize(v.Rows())
		for row := range v.live.All() {
			a.check(row, v.nodes[row])
		}
		v.topology.areas[w.Key] = a
	}
	a.used = v.topology.turn
	return a
}

// check finds out whether row, which holds node or nothing, is one of the area's.
func (a *Area) check(row int32, n *corev1.Node) {
	if int(row) >= a.rows.Len() {
		a.rows.Resize(int(row) + 1)
	}
	a.rows.Put(row, n != nil && a.takes(n))
}

func (a *Area) takes(n *corev1.Node) bool {
	for _, key := range a.where.Labels {
		if _, has := n.Labels[key]; !has {
			return false
		}
	}
	return a.accepts(n)
}
