package result

import (
	"math"
	"slices"
	"time"
)

// Median returns the middle value, NaN of nothing.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Spread returns half of the distance between the extremes, as a part of the median. It is 0 for one value.
func Spread(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return (slices.Max(values) - slices.Min(values)) / 2 / math.Abs(Median(values))
}

// LatencyOf summarises latencies by the values that 50 %, 99 % and all of them do not exceed.
func LatencyOf(all []time.Duration) *Latency {
	if len(all) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(all))
	at := func(part float64) float64 {
		rank := int(math.Ceil(part * float64(len(sorted))))
		return sorted[max(1, rank)-1].Seconds()
	}
	return &Latency{P50: at(0.5), P99: at(0.99), Max: at(1)}
}
