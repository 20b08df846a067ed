// Package queuesort orders the active queue: higher priority first, then whoever
// entered the queue earlier.
package queuesort

import "github.com/berth-scheduler/berth/pkg/framework"

// Name is the plugin's name in a profile.
const Name = "PrioritySort"

// PrioritySort is the QueueSort plugin.
type PrioritySort struct{}

var _ framework.QueueSort = PrioritySort{}

// Name returns the plugin's name.
func (PrioritySort) Name() string { return Name }

// Less reports whether a goes before b. Equal priority and time: neither does.
func (PrioritySort) Less(a, b *framework.Queued) bool {
	if a.Pod.Priority != b.Pod.Priority {
		return a.Pod.Priority > b.Pod.Priority
	}
	return a.Since < b.Since
}
