package procfs

import (
	"slices"
	"time"
)

const (
	spins    = 15      // odd, so that there is one in the middle
	spinWork = 4 << 20 // numbers drawn by one, some 10 ms
)

// Spin returns how long a fixed piece of work takes now: the median of a few tries, so that one interruption does
// not count. A machine that got slower or that is shared with more others takes longer.
func Spin() time.Duration {
	took := make([]time.Duration, spins)
	x := uint64(88172645463325252)
	for i := range took {
		begin := time.Now()
		spin(&x, spinWork)
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	return took[spins/2]
}

// spin draws random numbers, each from the one before.
//
//go:noinline
func spin(x *uint64, steps int) {
	for range steps {
		*x ^= *x << 13
		*x ^= *x >> 7
		*x ^= *x << 17
	}
}
