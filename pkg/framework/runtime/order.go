package runtime

import "slices"

// cheapFirst ranks filters for the hot path, lowest first. Any order leaves the
// same rows; a mask that is empty early saves the rest. Filters that are not named
// come in between, as configured.
var cheapFirst = map[string]int{
	"NodeName":          -3, // leaves one row at the most, and nearly always skips
	"NodeUnschedulable": -2, // one AndNot over words
	"TaintToleration":   -1, // one load and one table look-up per row, often none at all
	"NodeResourcesFit":  1,  // a compare per row and resource: after masks
	"PodTopologySpread": 2,  // tables by domain, which a full cluster does not need
	"InterPodAffinity":  2,
}

// quickOrder returns the filters in the order of narrowing.
func quickOrder(filters []*step) []*step {
	quick := slices.Clone(filters)
	slices.SortStableFunc(quick, func(a, b *step) int { return cheapFirst[a.name] - cheapFirst[b.name] })
	return quick
}
