package quantity

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestAddSaturates(t *testing.T) {
	f := func(a, b, want int64) {
		t.Helper()
		if got := Add(a, b); got != want {
			t.Errorf("Add(%d, %d) = %d, want %d", a, b, got, want)
		}
	}
	f(2, 3, 5)
	f(2, -3, -1)
	f(Max, 0, Max)
	f(Max, 1, Max)
	f(Max, Max, Max)
	f(Max, math.MinInt64, -1)
	f(math.MinInt64, -1, math.MinInt64)
	f(math.MinInt64, math.MinInt64, math.MinInt64)
}

func TestMulDivIsExactBeyond64Bits(t *testing.T) {
	f := func(a, m, d, want int64) {
		t.Helper()
		if got := MulDiv(a, m, d); got != want {
			t.Errorf("MulDiv(%d, %d, %d) = %d, want %d", a, m, d, got, want)
		}
	}
	f(7, 100, 8, 87) // rounds down
	f(0, Max, 1, 0)
	f(Max, 100, Max, 100)
	f(Max, Max, Max, Max)
	f(Max-1, 100, Max, 99)
	f(Max, 2, 1, Max)
	f(Max, Max, 1, Max)
	f(Max, 3, 2, Max)
}

func TestEveryResultIsTheNearestToTheExactOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyInt64(t, "a"), anyInt64(t, "b")
		expect(t, "Add", Add(a, b), new(big.Int).Add(big.NewInt(a), big.NewInt(b)))
		a, b, d := notNegative(a), notNegative(b), max(1, notNegative(anyInt64(t, "d")))
		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		expect(t, "MulDiv", MulDiv(a, b, d), product.Quo(product, big.NewInt(d)))
	})
}

// anyInt64 draws small numbers, wide ones, and those around each power of two.
func anyInt64(t *rapid.T, name string) int64 {
	near := rapid.Custom(func(t *rapid.T) int64 {
		power := uint64(1) << rapid.IntRange(0, 63).Draw(t, "power")
		return int64(power + uint64(rapid.Int64Range(-2, 2).Draw(t, "off")))
	})
	return rapid.OneOf(rapid.Int64(), near).Draw(t, name)
}

func notNegative(v int64) int64 { return v & Max }

func expect(t *rapid.T, name string, got int64, exact *big.Int) {
	t.Helper()
	want := exact.Int64()
	switch {
	case exact.IsInt64():
	case exact.Sign() < 0:
		want = math.MinInt64
	default:
		want = Max
	}
	if got != want {
		t.Fatalf("%s = %d, want %d (exactly %s)", name, got, want, exact)
	}
}

func TestArithmeticAllocatesNothing(t *testing.T) {
	var sum int64
	got := testing.AllocsPerRun(100, func() {
		sum = Add(sum, MulDiv(Max, 100, Max-1))
	})
	if got != 0 {
		t.Errorf("quantity arithmetic allocates %v times, want 0", got)
	}
}
