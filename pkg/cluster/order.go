package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// order is the nodes as a sampling search walks them: one from each zone in turn, zones
// and the nodes in them in the order in which they were first seen.
type order struct {
	zones []zone
	of    []string // by row: its zone's key; "" where the row is free, else never empty
	rows  []int32  // the walk; nil when it must be made again
}

type zone struct {
	key  string
	rows []int32
}

func (o *order) set(row int32, n *corev1.Node) {
	for int(row) >= len(o.of) {
		o.of = append(o.of, "")
	}
	key := zoneKey(n.Labels)
	if o.of[row] == key {
		return
	}
	o.clear(row)
	o.of[row], o.rows = key, nil
	for i := range o.zones {
		if o.zones[i].key == key {
			o.zones[i].rows = append(o.zones[i].rows, row)
			return
		}
	}
	o.zones = append(o.zones, zone{key: key, rows: []int32{row}})
}

func (o *order) clear(row int32) {
	if int(row) >= len(o.of) || o.of[row] == "" {
		return
	}
	i := slices.IndexFunc(o.zones, func(z zone) bool { return z.key == o.of[row] })
	z := &o.zones[i]
	at := slices.Index(z.rows, row)
	if z.rows = slices.Delete(z.rows, at, at+1); len(z.rows) == 0 {
		o.zones = slices.Delete(o.zones, i, i+1)
	}
	o.of[row], o.rows = "", nil
}

// zoneKey names a node's zone by region and zone. The old labels count before the new.
func zoneKey(labels map[string]string) string {
	region, ok := labels[corev1.LabelFailureDomainBetaRegion]
	if !ok {
		region = labels[corev1.LabelTopologyRegion]
	}
	name, ok := labels[corev1.LabelFailureDomainBetaZone]
	if !ok {
		name = labels[corev1.LabelTopologyZone]
	}
	return region + ":\x00:" + name
}

// InZoneOrder returns the rows of all nodes, one from each zone in turn.
func (v *View) InZoneOrder() []int32 {
	o := v.order
	if o.rows != nil {
		return o.rows
	}
	for round := 0; len(o.rows) < len(v.byName); round++ {
		for i := range o.zones {
			if round < len(o.zones[i].rows) {
				o.rows = append(o.rows, o.zones[i].rows[round])
			}
		}
	}
	return o.rows
}
