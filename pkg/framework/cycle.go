package framework

import (
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Cycle is one attempt to place one pod, as plugins see it. The chain owns it and
// uses it again for the next attempt.
type Cycle struct {
	View *cluster.View
	Try  *cluster.Try
	Pod  *podspec.Pod

	// Fits reports whether the whole chain of filters takes the pod on row as the
	// cluster is now, Try included. It is for PostFilter plugins.
	Fits func(row int32) (bool, error)
}

// Prep is what PreFilter and PreScore found. The zero value says: go on.
type Prep struct {
	// Skip drops the plugin's Filter, or its Scorer, for this attempt.
	Skip bool
	// Names, when not nil, are the only nodes that can take the pod. They need not be
	// there. The slice is read until PreFilter runs again, and not changed.
	Names []string
	// Reject ends the attempt: no row can take the pod, and this is why.
	Reject *Rejection
	// Err fails the attempt.
	Err error
}
