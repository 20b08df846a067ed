package runtime

import "testing"

func TestSampleIsEnoughOfTheNodes(t *testing.T) {
	f := func(s Sample, n, want int) {
		t.Helper()
		if got := s.enough(n); got != want {
			t.Errorf("Sample(%d).enough(%d) = %d, want %d", s, n, got, want)
		}
	}
	f(AllNodes, 5000, 5000)
	f(Adaptive, 99, 99)
	f(Adaptive, 100, 100)
	f(Adaptive, 1000, 420)
	f(Adaptive, 5000, 500)
	f(Adaptive, 6000, 300) // never below 5%
	f(30, 99, 99)
	f(30, 200, 100) // never below 100 nodes
	f(30, 1000, 300)
	f(100, 1000, 1000)
	f(1, 50_000, 500)
}
