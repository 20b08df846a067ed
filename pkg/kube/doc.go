// Package kube is the edge to the API server: what is seen there becomes inputs of
// the engine, and the engine's effects become calls.
//
//	informers ──► trim ──► Inputs ──► the scheduler's mailbox
//	Effects ──► Writer ─┬─ bind lane    one queue, many workers
//	                    ├─ status lanes a pod's patches in order
//	                    └─ event lanes  a pod's events in order, bounded
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
//     events wait than the lanes hold, new ones are dropped and counted; binds and
//     status patches never are.
//   - Run returns when every goroutine it started has.
package kube
