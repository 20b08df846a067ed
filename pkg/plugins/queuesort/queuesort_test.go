package queuesort

import (
	"testing"
	"time"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Judge: the cases below, and the queue's scenarios. The rule compares two pods and
// knows no nodes.

func queued(since time.Duration, priority ...int32) *framework.Queued {
	pod := object.Pod("p")
	if len(priority) > 0 {
		pod.Spec.Priority = &priority[0]
	}
	return &framework.Queued{Pod: podspec.NewCompiler().Compile(pod), Since: since}
}

func TestPriorityThenTimeInTheQueue(t *testing.T) {
	f := func(a, b *framework.Queued, first, second bool) {
		t.Helper()
		var sort PrioritySort
		if got := sort.Less(a, b); got != first {
			t.Errorf("priority %d since %v before %d since %v: %v, want %v", a.Pod.Priority, a.Since, b.Pod.Priority, b.Since, got, first)
		}
		if got := sort.Less(b, a); got != second {
			t.Errorf("the other way round: %v, want %v", got, second)
		}
	}
	f(queued(9, 10), queued(1, 5), true, false)  // higher priority, though it came later
	f(queued(1, 10), queued(9, 10), true, false) // earlier
	f(queued(1, 10), queued(1, 10), false, false)
	f(queued(1), queued(1, 0), false, false) // no priority is 0
	f(queued(9), queued(1, -1), true, false)
	f(queued(9, 2147483647), queued(1, -2147483648), true, false) // the difference would not fit an int32
}
