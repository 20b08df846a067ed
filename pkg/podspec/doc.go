// Package podspec compiles a pod once into what decisions read.
//
// Compile is given an API pod (whole or trimmed: the result is the same) and
// answers with a Pod: its identity, its priority and gates, three resource
// vectors over numbered resource columns, and its tolerations, sorted by use.
// Nothing after it looks into a PodSpec for resources again.
//
// Why three vectors. Upstream counts a pod differently in three places, and a
// placement depends on all of them:
//
//	Requests  the incoming pod against a node's free room (Filter): spec only,
//	          pod-level values replace container sums
//	Scoring   the incoming pod in NodeResourcesFit's score: containers only, and
//	          each container without a request counts 100m CPU and 200Mi memory
//	Usage     a pod on its node, and the incoming one in Balanced and in hints:
//	          the largest of spec, allocated and actual, as in-place resize may
//	          be under way; UsageScore has the defaults
//
// Quantities are read exactly and saturate: 50E bytes of memory is MaxInt64,
// never zero and never negative.
package podspec
