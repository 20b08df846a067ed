package procfs

import (
	"testing"
	"time"
)

func TestCPUCountsFromTheLastBracketOfTheName(t *testing.T) {
	f := func(text string, want processStat) {
		t.Helper()
		if got, err := parseProcessStat(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	f("12 (etcd) S 7 12 12 0 -1 4194560 1 2 3 4 150 25 0 0 20 0 9", processStat{parent: 7, cpu: 1750 * time.Millisecond})
	f("12 (a) b) S) R 7 12 12 0 -1 4194560 1 2 3 4 1 0 0 0 20 0 9", processStat{parent: 7, cpu: 10 * time.Millisecond})
}

func TestStatThatIsNoneIsAnError(t *testing.T) {
	f := func(text string) {
		t.Helper()
		if got, err := parseProcessStat(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
	f("")
	f("12 (etcd) S 7 12")
	f("12 (etcd) S 7 12 12 0 -1 4194560 1 2 3 4 many 25 0")
}

func TestPeakRSSIsInBytes(t *testing.T) {
	got, err := parsePeakRSS("Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t    100 kB\nVmRSS:\t  50 kB\n")
	if err != nil || got != 100<<10 {
		t.Errorf("got %d, %v, want %d", got, err, 100<<10)
	}
	if _, err := parsePeakRSS("Name:\tx\nState:\tZ (zombie)\n"); err == nil {
		t.Error("a process without memory has no peak, got no error")
	}
}

func TestMachineTellsBusyFromStolenTime(t *testing.T) {
	got, err := parseMachine("cpu  100 20 30 400 5 6 7 8 90 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
	want := Machine{Total: 5760 * time.Millisecond, Busy: 1500 * time.Millisecond, Steal: 80 * time.Millisecond}
	if err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if since := want.Since(Machine{Total: time.Second, Busy: time.Second}); since.Total != 4760*time.Millisecond {
		t.Errorf("got %v since a second, want 4.76 s in all", since)
	}
	if _, err := parseMachine("intr 1 2 3\n"); err == nil {
		t.Error("want an error for a file without the line cpu")
	}
}
