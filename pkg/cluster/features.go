package cluster

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/intern"
)

// features numbers the distinct lists of declared features, as taintSets does taints.
type features struct {
	ids   intern.Pool[string]
	lists [][]string // by number
	rows  []int32    // by row: number of its list + 1, 0 where the row is free
}

func (c *features) set(row int32, n *corev1.Node) {
	for int(row) >= len(c.rows) {
		c.rows = append(c.rows, 0)
	}
	id := c.ids.Acquire(strings.Join(n.Status.DeclaredFeatures, "\n"))
	for int(id) >= len(c.lists) {
		c.lists = append(c.lists, nil)
	}
	c.lists[id] = n.Status.DeclaredFeatures
	c.clear(row)
	c.rows[row] = id + 1
}

func (c *features) clear(row int32) {
	if int(row) >= len(c.rows) || c.rows[row] == 0 {
		return
	}
	id := c.rows[row] - 1
	if c.ids.Release(id); c.ids.Refs(id) == 0 {
		c.lists[id] = nil
	}
	c.rows[row] = 0
}

// FeatureSet returns the number of each row's list of declared features, 0 where no
// node is. FeatureLists()[n-1] is the list of number n.
func (v *View) FeatureSet() []int32 { return v.features.rows }

// FeatureLists returns the lists of declared features by number. A number that no node
// uses holds nil.
func (v *View) FeatureLists() [][]string { return v.features.lists }
