package cluster

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Try asks "what if": it adds pods to rows and removes pods from them in the live
// columns, and takes it all back. Levels nest by marks:
//
//	try := c.Try()
//	outer := try.Mark()
//	try.Remove(victim)
//	inner := try.Mark()
//	try.Add(pod, row)
//	try.Rollback(inner) // the pod is off again, the victim still gone
//	try.Rollback(outer) // everything is as before, to the order of pods on rows
//
// Lookup does not see what Try did: it tells where pods are, not where they might be.
type Try struct {
	c    *Cluster
	undo []change
}

type change struct {
	m     *member
	added bool // else removed
}

// Try returns the cluster's one what-if.
func (c *Cluster) Try() *Try { return &c.try }

// Mark returns the present level, for Rollback.
func (t *Try) Mark() int { return len(t.undo) }

// Add counts p on row. The pod may be on a node already; it then counts twice.
func (t *Try) Add(p *podspec.Pod, row int32) {
	m := &member{spec: p, node: t.c.names[row], assumed: true}
	t.c.put(m, row)
	t.undo = append(t.undo, change{m: m, added: true})
}

// Remove takes the pod with this UID off its row. It reports whether the pod was on
// a row, and not removed before.
func (t *Try) Remove(uid types.UID) bool {
	m := t.c.pods[uid]
	if m == nil || m.row < 0 || t.removed(m) {
		return false
	}
	t.c.take(m)
	t.undo = append(t.undo, change{m: m})
	return true
}

// Rollback takes back everything since mark, last change first.
func (t *Try) Rollback(mark int) {
	invariants.Check(mark <= len(t.undo), "cluster: Rollback to a level that was already left")
	for i := len(t.undo) - 1; i >= mark; i-- {
		if ch := t.undo[i]; ch.added {
			t.c.take(ch.m)
		} else {
			t.c.untake(ch.m)
		}
		t.undo[i] = change{}
	}
	t.undo = t.undo[:mark]
}

func (t *Try) removed(m *member) bool {
	for _, ch := range t.undo { // a what-if touches few pods
		if ch.m == m && !ch.added {
			return true
		}
	}
	return false
}
