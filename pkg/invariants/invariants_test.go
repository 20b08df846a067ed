package invariants

import "testing"

func TestCheckPanicsOnlyWhereEnabled(t *testing.T) {
	f := func(ok bool, want any) {
		t.Helper()
		if got := recovered(func() { Check(ok, "two is even") }); got != want {
			t.Errorf("Check(%v) panicked with %v, want %v", ok, got, want)
		}
	}
	f(true, nil)
	if Enabled {
		f(false, "BUG: two is even")
	} else {
		f(false, nil)
	}
}

func TestCheckAllocatesNothing(t *testing.T) {
	n := 0
	if got := testing.AllocsPerRun(100, func() { n++; Check(n > 0, "n grows") }); got != 0 {
		t.Errorf("Check allocates %v times, want 0", got)
	}
}

// recovered returns what fn panicked with, or nil.
func recovered(fn func()) (got any) {
	defer func() { got = recover() }()
	fn()
	return nil
}
