// Package invariants holds the checks that every test runs and that production
// builds leave out.
//
// A build with the tag invariants or race has Enabled = true; every other build
// has Enabled = false, and the compiler then removes the call of Check together
// with the comparison that was its argument. A condition that calls a function
// which is not inlined is still evaluated, so an expensive one goes inside
//
//	if invariants.Enabled {
//		invariants.Check(s.recount() == s.count, "bound pods are counted once")
//	}
package invariants
