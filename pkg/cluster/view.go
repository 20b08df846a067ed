package cluster

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// View is the readable side of a Cluster. Slices that it returns are live columns
// indexed by row: read them, never keep or change them. Rows that no node owns
// hold zeros and are not in Live.
type View struct {
	resources *podspec.Resources

	live   bitset.Set
	names  []string       // by row; "" where free
	nodes  []*corev1.Node // by row; nil where free
	revs   []uint64       // by row; the revision of the last change
	byName map[string]int32

	amounts  []*amounts // by resource number; nil where nobody offers or takes any
	podCount []int64
	podLimit []int64 // allocatable pods

	unschedulable bitset.Set // spec.unschedulable
	taintSet      []int32    // by row: number of its list of taints
	taints        taintSets

	labels   *labelColumns
	ports    *ports
	images   *images
	features *features
	order    *order

	rowPods  [][]*member          // by row
	homeless map[string][]*member // pods by the name of a node that is not known
	topology *topology
	backers  *backers

	pods    map[types.UID]*member
	assumed int // of them
	log     Log
}

// Live returns the rows that hold a node.
func (v *View) Live() *bitset.Set { return &v.live }

// Rows returns one past the highest row ever used: the length of the columns.
func (v *View) Rows() int { return len(v.names) }

// Nodes returns how many nodes there are.
func (v *View) Nodes() int { return len(v.byName) }

// Row returns the row of the node called name.
func (v *View) Row(name string) (int32, bool) {
	row, ok := v.byName[name]
	return row, ok
}

// Name returns the name of the node on row, "" when the row is free.
func (v *View) Name(row int32) string { return v.names[row] }

// Node returns the node object last seen for row, nil when the row is free.
func (v *View) Node(row int32) *corev1.Node { return v.nodes[row] }

// Revision returns the number of the last change of row. Numbers rise over the
// whole cluster and are never reused.
func (v *View) Revision(row int32) uint64 { return v.revs[row] }

// Resources returns the numbering of resource columns.
func (v *View) Resources() *podspec.Resources { return v.resources }

// Allocatable returns what each node offers of one resource. It may be nil while no
// node offers it and no pod on a row takes it.
func (v *View) Allocatable(col int32) []int64 { return v.amountsIn(col).allocatable }

// Requested returns what the pods on each row take of one resource. It is nil
// exactly when Allocatable is.
func (v *View) Requested(col int32) []int64 { return v.amountsIn(col).requested }

// Scored returns Requested as scores count it: with the defaults for containers
// that request no CPU or memory. For other resources it is Requested.
func (v *View) Scored(col int32) []int64 {
	if a := v.amountsIn(col); a.scored != nil {
		return a.scored
	}
	return v.Requested(col)
}

// PodCount returns how many pods each row holds, PodLimit how many it may hold.
func (v *View) PodCount() []int64 { return v.podCount }

// PodLimit returns the allocatable pods of each row.
func (v *View) PodLimit() []int64 { return v.podLimit }

// Unschedulable returns the rows whose node is cordoned.
func (v *View) Unschedulable() *bitset.Set { return &v.unschedulable }

// TaintSet returns the number of each row's list of taints, an index for
// TaintLists. Rows with equal lists share a number; 0 is the empty list.
func (v *View) TaintSet() []int32 { return v.taintSet }

// TaintLists returns the taint lists by number. A number that no row uses holds nil.
func (v *View) TaintLists() [][]corev1.Taint { return v.taints.lists }

// PodsOn walks the pods on row, assumed ones included.
func (v *View) PodsOn(row int32) iter.Seq[*podspec.Pod] {
	return func(yield func(*podspec.Pod) bool) {
		for _, m := range v.rowPods[row] {
			if !yield(m.spec) {
				return
			}
		}
	}
}

// Homeless returns the pods of a node that is not known: not yet, or not any more.
func (v *View) Homeless(node string) iter.Seq[*podspec.Pod] {
	return func(yield func(*podspec.Pod) bool) {
		for _, m := range v.homeless[node] {
			if !yield(m.spec) {
				return
			}
		}
	}
}

// Place says where a pod is.
type Place struct {
	Pod     *podspec.Pod
	Node    string // its node's name, known or not
	Row     int32  // -1 while the node is unknown
	Assumed bool   // not yet seen there
}

// Lookup returns where the pod with this UID is, if it is on a node at all.
func (v *View) Lookup(uid types.UID) (Place, bool) {
	m, ok := v.pods[uid]
	if !ok {
		return Place{}, false
	}
	return Place{Pod: m.spec, Node: m.node, Row: m.row, Assumed: m.assumed}, true
}

// Counts returns how many pods are on nodes and how many of them are assumed.
func (v *View) Counts() (pods, assumed int) { return len(v.pods), v.assumed }

// Log returns the record of which rows changed.
func (v *View) Log() *Log { return &v.log }
