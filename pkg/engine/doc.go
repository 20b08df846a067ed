// Package engine turns inputs into decisions and effects. It is the whole scheduler
// except for everything that talks.
//
// Step takes one input and the time, changes the state, and hands out values:
//
//	fact      NodeSeen NodeGone PodSeen PodGone   what the API server holds; the same
//	          for Namespace, Service, Controller  of what rules between pods go by
//	outcome   BindDone StatusDone Answered        what came of an effect
//	command   Allow Deny                          for pods that wait on Permit
//	drive     Tick Decide                         time has passed; choose for one pod
//
//	decision  Decision   a pod was placed, or was not, and everything a printer needs
//	effect    Bind PatchStatus Event Ask          what somebody shall do now
//	outcome   Settled    how a placement ended
//
// It promises:
//
//   - The same inputs at the same times give the same outputs, byte for byte. There
//     is no goroutine, clock or map order in it, and its only chance is a seed.
//   - One Decide makes at most one decision. Facts may come at any time between.
//   - Facts repeat, come late and jump: an object that is not newer than the one
//     known is ignored.
//   - A pod of a known scheduler name without a node is placed; every pod with a node
//     is counted there and never touched; any other pod does not exist for it.
//   - Nothing is written twice: a condition that the pod has, or that is on its way,
//     is not sent again, and a placement gets one Scheduled event.
//
// A pod that is ours goes through these states:
//
//	   ┌───────────── failed, with backoff ──────────────────────┐
//	   ▼                                                         │
//	queued ─► asking ─► (chosen: reserved) ─► waiting ─► binding ┤
//	            an extender answers      Permit, volumes    │  ▲ │
//	                                                no answer  │ │
//	                                                     ▼  │  │ │
//	                                                   unknown ┘ │
//	                                                             ▼
//	                                                           bound ─► (seen on its node: gone from here)
//
// From reserved to bound the pod is assumed: it counts on its row. How a bind ends:
//
//  1. Bound: the placement is settled; the pod counts as assumed until it is seen.
//  2. Bound elsewhere, by somebody else: the pod is moved to that node at once, before
//     anything else is decided, and holds are undone.
//  3. Refused for good: holds are undone in reverse order, the pod is forgotten, others
//     are woken, and it goes back to the queue as an error.
//  4. Gone: the pod was deleted, or another one has its name. As 3, but nobody is told. It
//     leaves for good when its deletion is seen: what answered for the API server may err.
//  5. Unknown: the answer was lost. The reservation stays and the same bind is repeated,
//     slower each time, until one of the above. The API's compare-and-set makes that
//     safe. The pod being seen on a node ends it as well. If the API server keeps failing,
//     users are told once. If the node goes meanwhile, none is sent again, and what became
//     of the first is looked up; should it arrive even later, that is 2.
//  6. Withdrawn: it was never sent, since the scheduler is about to stop. As 3, but nobody
//     is told.
//
// A nomination that ends, however it does, frees room for pods of no higher priority, which
// are woken.
//
// Effects come of attempts only, and attempts begin with Decide. So an engine that is not
// asked to decide follows everything and wants nothing written.
//
// Differences from the design's sketch: a bind that met a conflict is looked up by the
// edge, which answers with what it found, so there is no state for it here.
package engine
