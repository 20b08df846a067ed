// Package runtime compiles a profile into a Chain and runs it.
//
// A chain is a table: for each extension point the plugins that implement it, in
// configured order. Filters have a second order, cheapest first, in which the hot
// path narrows; order.go holds the reasons. Which order is used cannot be seen in
// the set of rows that is left, only in time.
//
// Who is at which point is settled by the profile: MultiPoint is expanded, and what is
// said about a point itself goes before. expand.go has the rules, which are those of
// kube-scheduler, as are the words for mistakes. One thing differs. Who filters is
// always prepared by its PreFilter, and who scores by its PreScore, even when a profile
// switches those off alone; there, some of kube-scheduler's plugins fail every pod for
// want of what they did not prepare.
//
// One attempt, as the engine drives it:
//
//	found := chain.Narrow(pod)    PreFilter and Narrow on one mask; stops when empty
//	chain.Keep(answer)            an extender's, if one was asked
//	chain.Rank(draw)              PreScore, scores, normalise, weigh, draw among the best
//	chain.Explain()               only when no row was left: configured order, with reasons
//	chain.PostFilter()            then somebody may make room
//
// Nominated pods. A node to which pods of equal or higher priority are nominated
// must take the pod both with and without them. Such rows are few: they are
// narrowed one at a time with the nominated pods added on Try.
//
// The hot path allocates nothing once its buffers have grown to the cluster. A
// panic inside a plugin is caught here, names the plugin and fails the attempt;
// the Try is rolled back first.
package runtime
