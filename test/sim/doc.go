// Package sim makes random clusters by seed, and judges plugins on them.
//
// A Gen made from a seed draws a World: a few nodes, pods bound to them and pods
// that wait. The worlds are small and hostile. Quantities come from the edges
// (absent, 0, one unit more or less than what is free, the largest int64 and
// beyond), pods have every shape that a sum of requests depends on, and names,
// keys and values come from alphabets so small that they meet.
//
//	g := sim.New(seed)
//	w := g.World()                 nodes, bound and pending pods
//	w := g.Furnished()             and labels, ports, images, features, odd ones too
//	c := w.Load(compiler)          the same as columns
//	ops := g.Tape(40)              or a sequence of changes, for sim.Player
//
// Judge holds a filter, and JudgeScore a scorer, against a plain definition: a
// function of one node, its pods and the pod to place, on API types, written from
// the rule and not from the columns. A failure prints the world and its seed;
// -seed runs that one alone. JudgeIn and JudgeScoreIn do so on worlds of a kind, and
// JudgeFragment holds a plugin's fragments against its answers.
//
// Each concept has its file. A new kind of hostility is a new entry in one of the
// lists there, or a new shape in shapes; then every test meets it. Values are
// what the API's types can hold, not all of them would pass the API's validation.
package sim
