package procfs

import (
	"os"
	"os/exec"
	"testing"
)

func TestOwnChildIsFoundByItsCommandLine(t *testing.T) {
	child := exec.Command("sleep", "12.3456")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait() // it was killed
	}()
	pids, err := Children("12.3456")
	if err != nil || len(pids) != 1 || pids[0] != child.Process.Pid {
		t.Errorf("got %v, %v, want %d", pids, err, child.Process.Pid)
	}
}

func TestOwnNumbersGrow(t *testing.T) {
	before, err := CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if Spin() <= 0 {
			t.Fatal("a spin took no time")
		}
	}
	after, err := CPU(os.Getpid())
	if err != nil || after <= before {
		t.Errorf("CPU is %v after some work, %v before (%v)", after, before, err)
	}
	if rss, err := PeakRSS(os.Getpid()); err != nil || rss < 1<<20 {
		t.Errorf("peak memory is %d bytes (%v), want more than a MiB", rss, err)
	}
}
