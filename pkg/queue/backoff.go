package queue

import (
	"math"
	"time"
)

// window is what backoffs are rounded up to when pods may be popped before their end:
// those that come back in the same window are ordered by QueueSort.
const window = time.Second

// backoffAfter returns how long a pod waits after its nth failure in a row.
func backoffAfter(n int, initial, most time.Duration) time.Duration {
	if n == 0 || most <= 0 {
		return 0
	}
	if shift := n - 1; shift < 62 && initial <= most>>shift {
		return initial << shift
	}
	return most
}

// setBackoff computes when the item may be tried again.
func (q *Queue) setBackoff(it *Item) {
	n := it.failures
	if it.errors > 0 {
		n = it.errors
	}
	wait := backoffAfter(n, q.cfg.InitialBackoff, q.cfg.MaxBackoff)
	it.readyAt = it.Since + min(wait, math.MaxInt64-window-it.Since) // a backoff as long as that never ends
	if wait > 0 && q.cfg.PopFromBackoff {
		it.readyAt = it.readyAt.Truncate(window) + window
	}
}
