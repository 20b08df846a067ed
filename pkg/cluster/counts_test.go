package cluster

import (
	"maps"
	"math/rand/v2"
	"testing"
)

func TestCountsAreWhatWasAdded(t *testing.T) {
	for seed := range uint64(50) {
		draws := rand.New(rand.NewPCG(seed, 0))
		var c Counts
		want := map[int32]int64{}
		top := int32(2 + draws.IntN(4*mostPairs)) // some grow into a column
		for range 600 {
			number, d := draws.Int32N(top), int64(draws.IntN(5)-2)
			c.add(number, d)
			if want[number] += d; want[number] == 0 {
				delete(want, number)
			}
			got := map[int32]int64{}
			c.Each(func(number int32, n int64) { got[number] += n })
			if !maps.Equal(got, want) || c.Empty() != (len(want) == 0) {
				t.Fatalf("seed %d: %v, empty %v, want %v", seed, got, c.Empty(), want)
			}
		}
		for number, n := range want {
			c.add(number, -n)
		}
		if !c.Empty() {
			t.Fatalf("seed %d: not empty with everything taken away", seed)
		}
	}
}

func TestManyCountsBecomeAColumn(t *testing.T) {
	var c Counts
	for number := range int32(mostPairs) {
		c.add(number, 1)
	}
	if c.column != nil {
		t.Errorf("%d numbers are a column already", mostPairs)
	}
	c.add(5000, -3)
	if c.pairs != nil || len(c.column) != 5001 || c.column[5000] != -3 || c.set != mostPairs+1 {
		t.Errorf("%d pairs, a column of %d with %d set, want a column of 5001 with %d", len(c.pairs), len(c.column), c.set, mostPairs+1)
	}
	for number := range int32(mostPairs) {
		c.add(number, -1)
	}
	if c.add(5000, 3); c.column != nil {
		t.Errorf("nothing is left, in a column of %d", len(c.column))
	}
}
