package quantity

import "testing"

func BenchmarkAdd(b *testing.B) {
	var sum int64
	for i := 0; b.Loop(); i++ {
		sum = Add(sum, int64(i))
	}
}

func BenchmarkMulDiv(b *testing.B) {
	f := func(name string, a, d int64) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				MulDiv(a, 100, d)
			}
		})
	}
	f("word", 3_900, 64_000)
	f("wide", Max/3, Max/2)
}
