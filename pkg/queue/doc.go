// Package queue holds the pods that wait to be placed, and says which is next.
//
//	         Add                     Pop
//	pod ───────────► active ───────────────────► an attempt
//	     │              ▲  ▲                        │ Requeue
//	gate │     backoff  │  └───────── Wake ─────┐   │
//	     ▼      over    │                       │   ▼
//	   gated ──────►  backoff ◄──── Wake ── unschedulable
//
// It is given pods, failures, cluster events and the time; it promises:
//
//   - A pod that it was given and has not given away is in exactly one place.
//   - Pop follows the profile's QueueSort; where neither pod is less, the one that
//     arrived first is next.
//   - A failed pod waits: initial backoff, doubled by each further failure, up to a
//     maximum. Failures that nobody rejected (errors) are counted on their own, and
//     such a pod is tried again after its wait without any event.
//   - No event is lost: one that comes while a pod is in flight counts when the pod
//     comes back.
//   - A pod that no event helped is tried again after a timeout.
//
// Any event wakes any pod: hints of plugins will narrow that.
//
// A queue has no goroutine and no clock. Backoff is measured on the monotonic time
// that callers pass in, and Next says when to call Flush.
package queue
