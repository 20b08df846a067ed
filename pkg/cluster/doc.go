// Package cluster is the state that decisions read: nodes as rows, and a column
// for each thing that a rule looks at.
//
//	row   name  allocatable[cpu]  requested[cpu]  ...  pods  taints  unschedulable
//	  0   n1              4000            1500           7       2         0
//	  1   n2              8000             300           2       0         1
//
// It is given what was seen of nodes and pods, and assumptions ("this pod will be
// on that row"). It promises:
//
//   - Columns equal a fresh count over the pods at any time, whatever came in
//     between and however large the quantities. Sums saturate and come back exactly.
//   - A row belongs to one node for the node's life and is reused at once
//     afterwards. Whoever keeps something longer than one step keeps the node's
//     name, or a row together with its Revision: revisions are never used twice.
//   - A pod whose node is unknown (not seen yet, or deleted) is kept by node name
//     and counts nowhere. It lands on the row when the node comes.
//   - An assumed pod counts like a bound one until it is forgotten, or confirmed by
//     the pod being seen on its node. Seen on another node, it moves there.
//   - Try changes the same columns and takes every change back in reverse order, to
//     the same bytes, and counters to the same numbers. While a Try is open nothing else
//     may change.
//   - What selectors count, and the terms of pods on rows, are counters that are up to date
//     whenever they are read: topology.go and moves.go tell how. Asking for a new one through
//     the View starts it; it is a cache, and shows the same as a count over all pods.
//     turns.go tells how long one stays that nobody needs.
//   - What came and went leaves little behind, whether decisions are made or not. A resource
//     has columns, and a host port its rows, while somebody offers or takes it.
//   - Each change of a row is in the Log, so that what was derived from rows can be
//     repaired instead of made again.
//
// One goroutine owns a Cluster. There is no lock, no clock and no client in it.
// Readers get the View, which is the Cluster without the methods that change it. They are
// called by the same goroutine: what is read may be brought up to date first.
package cluster
