// Package queue holds the pods that wait to be placed, and says which is next.
//
//	       Add                         Pop
//	pod ─────────► active ─────────────────────────► an attempt
//	     │            ▲  ▲                             │    │ Done: it is being bound
//	gate │    backoff │  │ hint: at once       Requeue │    ▼
//	     ▼    is over │  │                             ▼   (nothing more to miss)
//	   gated ─────► backoff ◄──── a hint ──── unschedulable
//
// It is given pods, failures, cluster events and the time. It promises:
//
//   - A pod that it was given and has not given away is in exactly one place.
//   - Pop follows the profiles' QueueSort; where neither pod is less, the one that
//     arrived first is next. When active is empty, the pod whose backoff ends first is
//     given early, unless it failed by an error.
//   - A failed pod waits: the initial backoff, doubled by each further failure, up to a
//     maximum, and then to the next whole second, so that pods that fail together come
//     back in order. Failures that no plugin rejected (errors) are counted on their
//     own; such a pod needs no event.
//   - A pod that plugins rejected waits for an event that one of them says may help.
//     In-tree plugins are asked once for all pods of a kind: same profile, same
//     rejectors, and equal fragments of the pod for each of them.
//   - No event is lost. One that comes while a pod is in flight is asked about when the
//     pod comes back; if too many came to be kept, the pod does not wait for another.
//   - A gated pod is looked at only for events of the plugin that gates it.
//   - A pod that nothing woke for long is tried again. That should never be what helps
//     it: the flag Flushed on the item tells.
//
// A queue has no goroutine and no clock. Backoff is measured on the monotonic time that
// callers pass in, and Next says when Flush is due.
package queue
