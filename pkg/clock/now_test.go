package clock

import (
	"testing"
	"time"
)

func TestAddMovesBothClocks(t *testing.T) {
	noon := time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC)
	f := func(n Now, d time.Duration, want Now) {
		t.Helper()
		if got := n.Add(d); got.Mono != want.Mono || !got.Wall.Equal(want.Wall) {
			t.Errorf("%v.Add(%v) = %v, want %v", n, d, got, want)
		}
	}
	f(Now{}, 0, Now{})
	f(Now{}, time.Second, Now{time.Second, time.Time{}.Add(time.Second)})
	f(Now{time.Minute, noon}, time.Hour, Now{61 * time.Minute, noon.Add(time.Hour)})
	f(Now{time.Minute, noon}, -time.Second, Now{59 * time.Second, noon.Add(-time.Second)})
}

func TestAddLeavesItsReceiver(t *testing.T) {
	n := Now{Mono: time.Second}
	n.Add(time.Hour)
	if n.Mono != time.Second {
		t.Errorf("after Add the receiver says %v, want 1s", n.Mono)
	}
}
