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

func clamp(v uint64) int64 { return int64(min(v, uint64(Max))) }
