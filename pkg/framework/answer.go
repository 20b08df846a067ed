package framework

import "github.com/berth-scheduler/berth/pkg/bitset"

// Answer is what somebody outside the chain said about rows.
type Answer struct {
	By     string     // who counts as the rejector
	Keep   bitset.Set // rows that may take the pod
	Failed []Verdict  // why others may not; rows may be missing from both
}
