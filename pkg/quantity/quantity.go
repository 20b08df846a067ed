package quantity

import (
	"math"
	"math/bits"

	"github.com/berth-scheduler/berth/pkg/invariants"
)

// Max is the largest quantity, where sums saturate. The smallest is
// math.MinInt64.
const Max int64 = math.MaxInt64

// Add returns a+b, saturating at both ends.
func Add(a, b int64) int64 {
	sum := a + b
	if (a^sum)&(b^sum) < 0 { // both terms have the sign that the sum has not
		return limit(a < 0)
	}
	return sum
}

// Sub returns a-b, saturating at both ends.
func Sub(a, b int64) int64 {
	diff := a - b
	if (a^b)&(a^diff) < 0 { // a and b differ in sign, and the difference left a's side
		return limit(a < 0)
	}
	return diff
}

// Mul returns a*b, saturating at both ends.
func Mul(a, b int64) int64 {
	negative := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	switch {
	case hi == 0 && lo <= uint64(Max):
		return sign(int64(lo), negative)
	default: // also the exact product math.MinInt64, which is the limit itself
		return limit(negative)
	}
}

// MulDiv returns a*m/d rounded down, saturating at Max. The product has 128 bits,
// so nothing is lost between the two steps. a and m are not negative; d is
// positive.
func MulDiv(a, m, d int64) int64 {
	invariants.Check(a >= 0 && m >= 0 && d > 0, "MulDiv takes a and m of at least 0 and d above 0")
	hi, lo := bits.Mul64(uint64(a), uint64(m))
	if hi == 0 { // nearly always: the product fits a machine word
		return clamp(lo / uint64(d))
	}
	if hi >= uint64(d) { // the quotient would need more than 64 bits
		return Max
	}
	quotient, _ := bits.Div64(hi, lo, uint64(d))
	return clamp(quotient)
}

// limit returns the end of the range on the given side.
func limit(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return Max
}

// magnitude returns |v|; for math.MinInt64 too, whose magnitude no int64 holds.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func sign(v int64, negative bool) int64 {
	if negative {
		return -v
	}
	return v
}

func clamp(v uint64) int64 { return int64(min(v, uint64(Max))) }
