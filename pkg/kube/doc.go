// Package kube is the edge to the API server: what is seen there becomes inputs of
// the engine, and the engine's effects become calls.
//
//	informers ──► trim ──► Inputs ──► the scheduler's mailbox
//	Effects ──► Writer ─┬─ bind lane    one queue, many workers
//	                    ├─ patches      one for each pod may wait, and not for its bind
//	                    └─ event lanes  a pod's events in order, bounded
//	Election ──► Fence  every write of the Writer leaves through it
//
// It promises:
//
//   - Objects are trimmed before they are kept: what no decision reads is dropped, and
//     nothing else. Compiling a trimmed pod gives the same as compiling the whole one.
//   - Each Bind is answered exactly once, with what is known for sure. An answer that
//     was lost, or that does not tell, is Unknown. A conflict is looked up with a
//     consistent read: the pod is on a node (whoever put it there), or it is not.
//   - Calls that change a pod's status carry its UID, so they never hit a pod that was
//     made again under the same name.
//   - An event that repeats becomes a series instead of a second event. When more
//     events wait than the lanes hold, new ones are dropped and counted; binds never are,
//     and of the status patches of a pod the newest is kept.
//   - A status patch never leaves after a bind that was decided later.
//   - No write leaves while the lease may be another's. It may be when it has not been
//     renewed for one renew deadline, by this process's own clock, or another's name has
//     been seen on it. The lease is released when nothing more is written, not before.
//   - CatchUp returns when all that existed when it was called has been put, however late
//     the informers are. What it has seen go stays gone when they tell of it again.
//   - An object that is older than it was, since the API server's data was restored from a
//     copy, is put as one that is gone and one that comes.
//   - A watch that the API server refuses, for want of a right or because it does not serve
//     the API, is told in one line until that changes, however often it is tried again.
//   - Run returns when every goroutine it started has.
//
// Nobody can call a request back that the network holds. So a write that left in time may
// arrive after the lease has passed on, if it takes longer than what is left of that: five
// seconds beyond the renew deadline by default.
package kube
