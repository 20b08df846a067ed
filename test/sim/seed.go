package sim

import (
	"flag"
	"iter"
	"testing"
)

var only = flag.Uint64("seed", 0, "run the random tests with this seed alone")

// Seeds walks the seeds 1 to n, or the one that -seed gives.
func Seeds(n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if *only != 0 {
			yield(*only)
			return
		}
		for seed := range uint64(n) {
			if !yield(seed + 1) {
				return
			}
		}
	}
}

// Each runs check for n seeds. The first error ends the test; it is told with its
// seed.
func Each(t testing.TB, n int, check func(seed uint64) error) {
	t.Helper()
	for seed := range Seeds(n) {
		if err := check(seed); err != nil {
			t.Fatalf("seed %d (-seed %d runs it alone): %v", seed, seed, err)
		}
	}
}
