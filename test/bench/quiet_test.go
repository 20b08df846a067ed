package main

import (
	"testing"
	"time"
)

// play gives a run's samples, one each 100 ms, to a quiescence until it is over, and returns when and how. at tells
// what is there at a time in seconds; cpu is in milliseconds.
func play(want int, at func(s float64) (bound, events int, cpu float64)) (seconds float64, end state) {
	q := quiescence{want: want}
	for i := range 1000 {
		seconds = float64(i) / 10
		bound, events, cpu := at(seconds)
		end = q.add(sample{
			at: time.Duration(i) * 100 * time.Millisecond, bound: bound, events: events,
			cpu: time.Duration(cpu * float64(time.Millisecond)),
		})
		if end != busy {
			return seconds, end
		}
	}
	return seconds, end
}

// until grows evenly to a value at a time.
func until(end, value, now float64) float64 { return value * min(1, now/end) }

func TestRunIsOverTwoIdleSecondsAfterTheLastOfAll(t *testing.T) {
	f := func(name string, boundAt, toldAt, busyUntil, want float64) {
		t.Helper()
		seconds, end := play(100, func(s float64) (int, int, float64) {
			return int(until(boundAt, 100, s)), int(until(toldAt, 100, s)), until(busyUntil, 1000, s)
		})
		if end != quiet || seconds < want-0.11 || seconds > want+0.11 {
			t.Errorf("%s: over after %.1f s with %d, want %.1f s", name, seconds, end, want)
		}
	}
	f("binds last", 3, 1, 1, 5)
	f("events come late", 3, 6, 3, 8)
	f("work goes on after the events", 3, 3, 7, 9)
}

func TestStartUpIsOverWhenIdleAndNotTooYoung(t *testing.T) {
	idle := func(busyUntil float64) func(float64) (int, int, float64) {
		return func(s float64) (int, int, float64) { return 0, 0, until(busyUntil, 1000, s) }
	}
	if seconds, end := play(0, idle(0.5)); end != quiet || seconds != youngest.Seconds() {
		t.Errorf("a quick start-up is over after %.1f s with %d, want %v", seconds, end, youngest)
	}
	if seconds, end := play(0, idle(8)); end != quiet || seconds < 9.9 || seconds > 10.1 {
		t.Errorf("a start-up of 8 s is over after %.1f s with %d, want 10 s", seconds, end)
	}
}

func TestLittleWorkNowAndThenIsIdle(t *testing.T) {
	seconds, end := play(1, func(s float64) (int, int, float64) { return 1, 1, s * 9 }) // 0.9 % of a CPU
	if end != quiet || seconds > 2.1 {
		t.Errorf("over after %.1f s with %d, want 2 s", seconds, end)
	}
	if seconds, end := play(1, func(s float64) (int, int, float64) { return 1, 1, s * 11 }); end != busy {
		t.Errorf("1.1 %% of a CPU is over after %.1f s with %d, want it never to be", seconds, end)
	}
}

func TestRunThatStopsShortIsStuck(t *testing.T) {
	f := func(name string, bound, events int) {
		t.Helper()
		seconds, end := play(100, func(s float64) (int, int, float64) {
			return int(until(2, float64(bound), s)), int(until(2, float64(events), s)), until(2, 1000, s)
		})
		if end != stuck || seconds < 16.9 || seconds > 17.1 {
			t.Errorf("%s: over after %.1f s with %d, want stuck after 17 s", name, seconds, end)
		}
	}
	f("a pod fits nowhere", 99, 99)
	f("an event was dropped", 100, 99)
}
