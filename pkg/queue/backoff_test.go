package queue

import (
	"math"
	"testing"
	"time"
)

func TestBackoffDoublesUntilMax(t *testing.T) {
	f := func(n int, initial, most, want time.Duration) {
		t.Helper()
		if got := backoffAfter(n, initial, most); got != want {
			t.Errorf("after %d failures of %v up to %v: %v, want %v", n, initial, most, got, want)
		}
	}
	f(0, time.Second, 10*time.Second, 0)
	f(1, time.Second, 10*time.Second, time.Second)
	f(2, time.Second, 10*time.Second, 2*time.Second)
	f(4, time.Second, 10*time.Second, 8*time.Second)
	f(5, time.Second, 10*time.Second, 10*time.Second)
	f(5, time.Second, 16*time.Second, 16*time.Second)
	f(1, 20*time.Second, 10*time.Second, 10*time.Second)
	f(3, time.Second, 0, 0) // backoff is off

	// Nothing overflows, however often a pod fails.
	const ever = time.Duration(math.MaxInt64)
	f(34, time.Second, ever, time.Second<<33)
	for _, n := range []int{35, 61, 62, 63, 64, 65, 1000, math.MaxInt} {
		f(n, time.Second, 10*time.Second, 10*time.Second)
		f(n, time.Second, ever, ever)
		f(n, ever, ever, ever)
	}
}

// A backoff that is longer than there is time does not end, instead of ending at once.
func TestLongestBackoffDoesNotWrap(t *testing.T) {
	for _, early := range []bool{false, true} {
		q := New(Config{
			Less: byPriority, Gate: testGate, Hinters: map[string][]Hinter{"s": testHinters},
			InitialBackoff: math.MaxInt64, MaxBackoff: math.MaxInt64, Timeout: time.Minute, PopFromBackoff: early,
		})
		q.Add(at(time.Hour), podOfClass("p", "0"))
		q.Pop(at(time.Hour))
		q.Requeue(at(time.Hour), "p", nil, nil)
		if end, due := q.Next(); !due || end < 100*365*24*time.Hour || q.Len(Backoff) != 1 {
			t.Errorf("popped early %v: backoff ends at %v (%v)", early, end, due)
		}
	}
}

// However short the timeout, time alone wakes a pod twice a minute at most.
func TestPodsAreNotFlushedAllTheTime(t *testing.T) {
	q := New(Config{Less: byPriority, Gate: testGate, Hinters: map[string][]Hinter{"s": testHinters}})
	q.Add(at(0), podOfClass("p", "0"))
	q.Pop(at(0))
	q.Requeue(at(0), "p", []string{testHinters[0].Plugin}, nil)
	for _, f := range []struct {
		after time.Duration
		want  Place
	}{{29 * time.Second, Unschedulable}, {30 * time.Second, Active}} {
		if q.Flush(at(f.after)); q.Get("p").Place != f.want {
			t.Errorf("after %v the pod is %s, want %s", f.after, q.Get("p").Place, f.want)
		}
	}
}
