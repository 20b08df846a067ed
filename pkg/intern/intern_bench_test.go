package intern

import (
	"strconv"
	"testing"
)

func BenchmarkKnownKey(b *testing.B) {
	var table Table[string]
	var pool Pool[string]
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "topology.kubernetes.io/zone=zone-" + strconv.Itoa(i)
		table.ID(keys[i])
		pool.Acquire(keys[i])
	}
	b.Run("Table", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			table.ID(keys[i%len(keys)])
		}
	})
	b.Run("Pool", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			pool.Release(pool.Acquire(keys[i%len(keys)]))
		}
	})
}
