package cluster_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/sim"
)

// model is the cluster as a recount knows it: which node has which pods. It has no
// rows, no sums and no undo, so every answer is counted afresh.
type model struct {
	specs  func(*corev1.Pod) *podspec.Pod
	nodes  map[string]*corev1.Node
	pods   map[types.UID]placed
	images map[string]*seenImage // by each name
	tried  []what                // a copy for each mark, and the present one last
}

type placed struct {
	spec    *podspec.Pod
	node    string
	assumed bool
}

// what is what a Try has done.
type what struct {
	added   []placed
	removed []types.UID
}

func newModel(specs func(*corev1.Pod) *podspec.Pod) *model {
	return &model{
		specs: specs, nodes: map[string]*corev1.Node{}, pods: map[types.UID]placed{}, images: map[string]*seenImage{}, tried: []what{{}},
	}
}

func (m *model) play(o sim.Op) {
	now := &m.tried[len(m.tried)-1]
	switch o.Verb {
	case sim.SetNode:
		m.nodes[o.Node.Name] = o.Node
		m.seeImages(o.Node.Name, o.Node)
	case sim.RemoveNode:
		delete(m.nodes, o.Name)
		m.seeImages(o.Name, nil)
	case sim.SetPod:
		m.pods[o.Pod.UID] = placed{m.specs(o.Pod), o.Pod.Spec.NodeName, false}
	case sim.Assume, sim.AssumeOn:
		m.pods[o.Pod.UID] = placed{m.specs(o.Pod), o.Name, true}
	case sim.Forget:
		if m.pods[o.UID].assumed {
			delete(m.pods, o.UID)
		}
	case sim.Remove:
		delete(m.pods, o.UID)
	case sim.TryAdd:
		now.added = append(now.added, placed{m.specs(o.Pod), o.Name, true})
	case sim.TryRemove:
		now.removed = append(now.removed, o.UID)
	case sim.TryMark:
		m.tried = append(m.tried, what{slices.Clone(now.added), slices.Clone(now.removed)})
	case sim.TryRollback:
		m.tried = m.tried[:o.Level+1]
	}
}

// counted returns the pods that count, by node.
func (m *model) counted() map[string][]*podspec.Pod {
	pods := map[string][]*podspec.Pod{}
	now := m.tried[len(m.tried)-1]
	for uid, p := range m.pods {
		if !slices.Contains(now.removed, uid) {
			pods[p.node] = append(pods[p.node], p.spec)
		}
	}
	for _, p := range now.added {
		pods[p.node] = append(pods[p.node], p.spec)
	}
	return pods
}

// sum adds up one resource over pods, without an upper end until the last step.
func sum(pods []*podspec.Pod, col int32, of func(*podspec.Pod) podspec.Vector) int64 {
	var total, one big.Int
	for _, p := range pods {
		total.Add(&total, one.SetInt64(of(p).Of(col)))
	}
	if !total.IsInt64() {
		return math.MaxInt64
	}
	return total.Int64()
}

func usage(p *podspec.Pod) podspec.Vector      { return p.Usage }
func usageScore(p *podspec.Pod) podspec.Vector { return p.UsageScore }

// compare holds the columns against a recount and tells the first difference.
func (m *model) compare(v *cluster.View) error {
	if v.Nodes() != len(m.nodes) || v.Live().Count() != len(m.nodes) {
		return fmt.Errorf("%d nodes on %d rows, want %d", v.Nodes(), v.Live().Count(), len(m.nodes))
	}
	pods := m.counted()
	for name, n := range m.nodes {
		row, known := v.Row(name)
		if !known || !v.Live().Has(row) || v.Name(row) != name || v.Node(row) != n {
			return fmt.Errorf("%s is on row %d (%v)", name, row, known)
		}
		if err := m.compareRow(v, row, n, pods[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := cmp.Or(compareLists(v), compareAmounts(v), m.compareColumns(v), comparePorts(v, pods)); err != nil {
		return err
	}
	for row := range int32(v.Rows()) {
		if v.Live().Has(row) {
			continue
		}
		if err := m.compareRow(v, row, &corev1.Node{}, nil); err != nil || v.Name(row) != "" || v.Node(row) != nil {
			return fmt.Errorf("free row %d has name %q: %w", row, v.Name(row), err)
		}
	}
	return m.comparePlaces(v)
}

func (m *model) compareRow(v *cluster.View, row int32, n *corev1.Node, pods []*podspec.Pod) error {
	offers := v.Resources().Vector(n.Status.Allocatable)
	for col := range int32(v.Resources().Len()) {
		offered, taken, scored := v.Allocatable(col), v.Requested(col), v.Scored(col)
		ofScored := usage
		if col <= podspec.Memory {
			ofScored = usageScore
		}
		want := [3]int64{offers.Of(col), sum(pods, col, usage), sum(pods, col, ofScored)}
		if (offered == nil) != (taken == nil) {
			return fmt.Errorf("%s: offered %v and taken %v, want both nil or none", v.Resources().Name(col), offered, taken)
		}
		if got := [3]int64{cell(offered, row), cell(taken, row), cell(scored, row)}; got != want {
			return fmt.Errorf("%s offered, taken, scored: %d, want %d", v.Resources().Name(col), got, want)
		}
	}
	limit := podspec.Whole(n.Status.Allocatable[corev1.ResourcePods])
	if got, want := [2]int64{v.PodCount()[row], v.PodLimit()[row]}, [2]int64{int64(len(pods)), limit}; got != want {
		return fmt.Errorf("pods and their limit: %d, want %d", got, want)
	}
	if got := v.Unschedulable().Has(row); got != n.Spec.Unschedulable {
		return fmt.Errorf("unschedulable: %v", got)
	}
	if got := v.TaintLists()[v.TaintSet()[row]]; !slices.Equal(got, n.Spec.Taints) {
		return fmt.Errorf("taints: %v, want %v", got, n.Spec.Taints)
	}
	return cmp.Or(comparePods(v, row, pods), compareFurniture(v, row, n))
}

// compareLists checks that a list without a node is let go of.
func compareLists(v *cluster.View) error {
	for number, list := range v.TaintLists() {
		if used := slices.Contains(v.TaintSet(), int32(number)); !used && list != nil {
			return fmt.Errorf("taint list %d has no node, and holds %v", number, list)
		}
	}
	for number, list := range v.FeatureLists() {
		if used := slices.Contains(v.FeatureSet(), int32(number+1)); !used && list != nil {
			return fmt.Errorf("feature list %d has no node, and holds %v", number, list)
		}
	}
	return nil
}

// compareAmounts checks that there are no columns for what nobody offers or takes.
func compareAmounts(v *cluster.View) error {
	some := func(n int64) bool { return n != 0 }
	for col := podspec.Ephemeral + 1; col < int32(v.Resources().Len()); col++ {
		used := slices.ContainsFunc(v.Allocatable(col), some) || slices.ContainsFunc(v.Requested(col), some)
		if there := v.Allocatable(col) != nil; there != used {
			return fmt.Errorf("%s has columns: %v, want %v", v.Resources().Name(col), there, used)
		}
	}
	return nil
}

func cell(column []int64, row int32) int64 {
	if column == nil {
		return 0
	}
	return column[row]
}
