package cluster_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// The model's side of the columns for labels, host ports and declared features.

// keys are the labels that nodes of tapes may have.
var keys = []string{corev1.LabelHostname, corev1.LabelTopologyZone, corev1.LabelTopologyRegion, "disk", "gen", "nowhere"}

// compareColumns checks what holds for a key, a value or an image over all rows.
func (m *model) compareColumns(v *cluster.View) error {
	for _, key := range keys {
		if err := m.compareLabel(v, key); err != nil {
			return fmt.Errorf("label %s: %w", key, err)
		}
	}
	for _, n := range m.nodes {
		for key := range n.Labels {
			if !slices.Contains(keys, key) {
				return fmt.Errorf("a node has label %s, which the model does not look at", key)
			}
		}
	}
	return m.compareImages(v)
}

// compareLabel checks that a column is there when a node has the key, and numbers the
// values that nodes have, and no others.
func (m *model) compareLabel(v *cluster.View, key string) error {
	values := map[string]bool{}
	for _, n := range m.nodes {
		if value, ok := n.Labels[key]; ok {
			values[value] = true
		}
	}
	column := v.Label(key)
	if (column == nil) != (len(values) == 0) {
		return fmt.Errorf("column %v for the values %v", column, slices.Sorted(maps.Keys(values)))
	}
	if column == nil {
		return nil
	}
	used := map[string]bool{}
	for number := range column.Top() {
		value, ok := column.Value(number)
		switch {
		case !ok && value != "":
			return fmt.Errorf("number %d is not in use, and has the value %q", number, value)
		case !ok:
		case used[value] || !values[value] || column.Number(value) != number:
			return fmt.Errorf("number %d has the value %q, which has number %d", number, value, column.Number(value))
		default:
			used[value] = true
		}
	}
	if len(used) != len(values) || column.Number("what no node has") != cluster.Absent {
		return fmt.Errorf("values %v, want %v", slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(values)))
	}
	return nil
}

// labelsOf reads a row's labels from the columns.
func labelsOf(v *cluster.View, row int32) map[string]string {
	labels := map[string]string{}
	for _, key := range keys {
		column := v.Label(key)
		if column == nil || int(row) >= len(column.Numbers()) || column.Numbers()[row] == cluster.Absent {
			continue
		}
		if value, ok := column.Value(column.Numbers()[row]); ok {
			labels[key] = value
		} else {
			labels[key] = "a number that is not in use"
		}
	}
	return labels
}

// compareFurniture checks one row.
func compareFurniture(v *cluster.View, row int32, n *corev1.Node) error {
	if got := labelsOf(v, row); !maps.Equal(got, n.Labels) {
		return fmt.Errorf("labels: %v, want %v", got, n.Labels)
	}
	if got, ok := featuresOf(v, row); ok != (n.Name != "") || !slices.Equal(got, n.Status.DeclaredFeatures) {
		return fmt.Errorf("features: %v (%v), want %v", got, ok, n.Status.DeclaredFeatures)
	}
	return nil
}

// comparePorts checks for each port on which rows it is taken.
func comparePorts(v *cluster.View, pods map[string][]*podspec.Pod) error {
	var free bitset.Set
	free.Resize(v.Rows())
	for _, port := range hostPorts {
		free.Fill()
		v.ClearTaken(&free, port)
		for row := range int32(v.Rows()) {
			taken := slices.ContainsFunc(pods[v.Name(row)], func(p *podspec.Pod) bool {
				return slices.ContainsFunc(p.HostPorts, port.Conflicts)
			})
			if taken = taken && v.Live().Has(row); free.Has(row) == taken {
				return fmt.Errorf("port %v is taken on row %d: %v, want %v", port, row, !free.Has(row), taken)
			}
		}
	}
	return nil
}

// featuresOf reads a row's list, and whether it has one.
func featuresOf(v *cluster.View, row int32) ([]string, bool) {
	if int(row) >= len(v.FeatureSet()) || v.FeatureSet()[row] == 0 {
		return nil, false
	}
	return v.FeatureLists()[v.FeatureSet()[row]-1], true
}

// hostPorts are what a pod of a tape may take, and a few that it does not.
var hostPorts = func() (list []podspec.HostPort) {
	for _, ip := range []string{podspec.AnyIP, "127.0.0.1", "10.0.0.1", "::1", "10.9.9.9"} {
		for _, protocol := range []corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP} {
			for _, port := range []int32{80, 443, 1} {
				list = append(list, podspec.HostPort{IP: ip, Protocol: protocol, Port: port})
			}
		}
	}
	return list
}()

func isTaken(v *cluster.View, row int32, port podspec.HostPort) bool {
	var one bitset.Set
	one.Resize(v.Rows())
	one.Add(row)
	v.ClearTaken(&one, port)
	return one.Empty()
}

// furniture draws these columns of a row.
func furniture(v *cluster.View, row int32) string {
	var b strings.Builder
	for _, key := range keys {
		if column := v.Label(key); column != nil && int(row) < len(column.Numbers()) && column.Numbers()[row] != cluster.Absent {
			fmt.Fprintf(&b, " %s:%d", key, column.Numbers()[row])
		}
	}
	for _, tag := range tags {
		if image := v.Image(tag); image != nil && image.On(row) {
			fmt.Fprintf(&b, " has:%s", tag)
		}
	}
	for _, port := range hostPorts {
		if isTaken(v, row, port) {
			fmt.Fprintf(&b, " %v", port)
		}
	}
	list, _ := featuresOf(v, row)
	return fmt.Sprintf("%s features=%v", b.String(), list)
}
