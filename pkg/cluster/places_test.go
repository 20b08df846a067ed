package cluster_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// comparePods checks which pods are on a row, in whatever order.
func comparePods(v *cluster.View, row int32, want []*podspec.Pod) error {
	got := slices.Collect(v.PodsOn(row))
	if a, b := sortedRefs(got), sortedRefs(want); !slices.Equal(a, b) {
		return fmt.Errorf("pods %v, want %v", a, b)
	}
	return nil
}

func sortedRefs(pods []*podspec.Pod) []string {
	var names []string
	for _, p := range pods {
		names = append(names, p.Name+string(p.UID)+p.API.Spec.NodeName)
	}
	slices.Sort(names)
	return names
}

// comparePlaces checks where pods are, which a Try does not change.
func (m *model) comparePlaces(v *cluster.View) error {
	assumed := 0
	for uid, p := range m.pods {
		row, known := v.Row(p.node)
		if !known {
			row = -1
		}
		if p.assumed {
			assumed++
		}
		got, ok := v.Lookup(uid)
		if !ok || got.Node != p.node || got.Row != row || got.Assumed != p.assumed || got.Pod.UID != uid {
			return fmt.Errorf("%s is at %+v (%v), want node %s, row %d, assumed %v", uid, got, ok, p.node, row, p.assumed)
		}
	}
	if all, some := v.Counts(); all != len(m.pods) || some != assumed {
		return fmt.Errorf("%d pods, %d of them assumed, want %d and %d", all, some, len(m.pods), assumed)
	}
	return nil
}

// dump draws all rows, with their pods in order and the cells that are not 0.
func dump(v *cluster.View) string { return strings.Join(rows(v), "") }

func rows(v *cluster.View) []string {
	list := make([]string, v.Rows())
	for row := range int32(v.Rows()) {
		var b strings.Builder
		fmt.Fprintf(&b, "%d %q live=%v pods=%d/%d cordoned=%v taints=%d%v", row, v.Name(row), v.Live().Has(row),
			v.PodCount()[row], v.PodLimit()[row], v.Unschedulable().Has(row), v.TaintSet()[row], v.TaintLists()[v.TaintSet()[row]])
		for col := range int32(v.Resources().Len()) {
			cells := [3]int64{cell(v.Allocatable(col), row), cell(v.Requested(col), row), cell(v.Scored(col), row)}
			if cells != [3]int64{} {
				fmt.Fprintf(&b, " %s=%d", v.Resources().Name(col), cells)
			}
		}
		for p := range v.PodsOn(row) {
			fmt.Fprintf(&b, " %s", p.UID)
		}
		list[row] = b.String() + furniture(v, row) + "\n"
	}
	return list
}
