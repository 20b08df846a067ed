// Package framework is what an in-tree plugin implements.
//
// A plugin is a value with a name and one or more extension points, each a small
// interface. It is given a Cycle: the cluster's columns, one compiled pod, and a
// what-if. It narrows a set of rows and fills columns of numbers; it never loops
// over nodes calling something per node, makes no status per node, and knows
// nothing of clients, clocks or goroutines.
//
//	queue      PreEnqueue, QueueSort
//	decide     PreFilter → Filter ... → PreScore → Scorer ... (Normalizer)
//	no row     Filter again with Verdicts to fill, PostFilter
//	chosen     Reserver → Permitter → Binder
//	parked     Hinter says which cluster events may help
//	kept       Keeper says what results depend on
//
// Rules of the road:
//
//   - PreFilter runs once per attempt before Narrow; what it computes may stay in
//     the plugin's own fields until the attempt ends. A chain runs one attempt at a
//     time and each profile has its own instances. Narrow may run many times after
//     one PreFilter: for all rows, for one row, with and without Verdicts, and
//     while the Try has pods added or removed. It must give the same answer for a
//     row however many other rows are in the mask.
//   - why == nil is the hot path: clear rows and nothing else, no allocation.
//     Otherwise each cleared row gets a code and its reasons by Verdicts.Clear.
//   - A pod that does not fit is a result. An error is something the plugin could
//     not find out; it fails the attempt, not the pod for ever.
//
// Compared with the sketch in the design notes: Skip and Reject are fields of Prep
// rather than variants, QueueSort compares Queued values so that foreign sort
// plugins can be adapted to them, and Permit's answer carries its timeout.
package framework
