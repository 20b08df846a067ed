package bitset

import (
	"math/rand/v2"
	"testing"
)

// tenThousand returns two sets of the size of a large cluster: one full, one
// with every third row.
func tenThousand() (full, third *Set) {
	full, third = of(10_000), of(10_000)
	full.Fill()
	for row := int32(0); row < 10_000; row += 3 {
		third.Add(row)
	}
	return full, third
}

// mixed gives each of so many rows one of three numbers, in no order.
var mixed = func() []int32 {
	numbers := make([]int32, 10_000)
	r := rand.New(rand.NewPCG(1, 1))
	for row := range numbers {
		numbers[row] = r.Int32N(3)
	}
	return numbers
}()

// operations are what runs once or more per pod and node.
var operations = []struct {
	name string
	do   func(s, o *Set, rows []int32)
}{
	{"And", func(s, o *Set, _ []int32) { s.And(o) }},
	{"AndNot", func(s, o *Set, _ []int32) { s.AndNot(o) }},
	{"Or", func(s, o *Set, _ []int32) { s.Or(o) }},
	{"CopyFrom", func(s, o *Set, _ []int32) { s.CopyFrom(o) }},
	{"Count", func(_, o *Set, _ []int32) { o.Count() }},
	{"FillAndClear", func(s, _ *Set, _ []int32) { s.Fill(); s.Clear() }},
	{"ShrinkAndGrow", func(s, _ *Set, _ []int32) { s.Resize(100); s.Resize(10_000) }},
	{"RemoveWhere", func(s, o *Set, _ []int32) { s.CopyFrom(o); s.RemoveWhere(mixed, []bool{false, true, false}) }},
	{"AppendTo", func(_, o *Set, rows []int32) { o.AppendTo(rows[:0]) }},
	{"All", func(s, o *Set, _ []int32) {
		for row := range o.All() {
			s.Add(row)
		}
	}},
	{"Next", func(s, o *Set, _ []int32) {
		for row := o.Next(0); row >= 0; row = o.Next(row + 1) {
			s.Remove(row)
		}
	}},
}

func BenchmarkSet(b *testing.B) {
	for _, op := range operations {
		b.Run(op.name, func(b *testing.B) {
			s, o := tenThousand()
			rows := make([]int32, 0, 10_000)
			for b.Loop() {
				op.do(s, o, rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/row")
		})
	}
}

func TestSetAllocatesNothing(t *testing.T) {
	for _, op := range operations {
		s, o := tenThousand()
		rows := make([]int32, 0, 10_000)
		if got := testing.AllocsPerRun(10, func() { op.do(s, o, rows) }); got != 0 {
			t.Errorf("%s allocates %v times, want 0", op.name, got)
		}
	}
}
