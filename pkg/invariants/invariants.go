package invariants

// Check panics with "BUG: " and what must hold if ok is false, in builds that
// are Enabled. Elsewhere it does nothing and costs nothing.
//
// what is a constant sentence about the program, such as "rows of both sets are
// of one table": a message put together at run time would cost in production.
func Check(ok bool, what string) {
	if Enabled && !ok {
		panic("BUG: " + what)
	}
}
