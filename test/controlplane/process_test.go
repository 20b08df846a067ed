package controlplane

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// orphanEnv makes the test binary start a child in the given folder, print its process id and wait.
const orphanEnv = "BERTH_TEST_ORPHAN"

func becomeParentOfOrphan() {
	p := &process{log: filepath.Join(os.Getenv(orphanEnv), "orphan.log"), lost: func(error) {}}
	if err := p.start("/bin/sh", "-c", "exec sleep 600"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.pid())
	select {}
}

func TestChildDiesWhenItsParentIsKilled(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), orphanEnv+"="+t.TempDir())
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || !running(child) {
		t.Fatalf("got %q (error %v), want the id of a running child", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // says "killed"
	expectGone(t, child)
}

func TestStubbornChildIsKilledAfterGrace(t *testing.T) {
	p := newProcess(t)
	if err := p.start("/bin/sh", "-c", "trap '' TERM; echo deaf; exec sleep 600"); err != nil {
		t.Fatal(err)
	}
	untilLogged(t, p, "deaf")
	p.stop(50 * time.Millisecond)
	expectGone(t, p.pid())
}

func TestStopWaitsForAChildThatEndsInTime(t *testing.T) {
	p := newProcess(t)
	const polite = "trap 'echo bye; exit' TERM; echo polite; while :; do sleep 0.01; done"
	if err := p.start("/bin/sh", "-c", polite); err != nil {
		t.Fatal(err)
	}
	untilLogged(t, p, "polite")
	p.stop(time.Minute)
	expectGone(t, p.pid())
	if got := string(tail(p.log, 1)); got != "bye\n" {
		t.Errorf("got last log line %q, want the child's farewell", got)
	}
}

func TestLostChildIsToldWithItsLastWords(t *testing.T) {
	p := newProcess(t)
	told := make(chan error, 1)
	p.lost = func(err error) { told <- err }
	if err := p.start("/bin/sh", "-c", "echo out of luck; exit 3"); err != nil {
		t.Fatal(err)
	}
	got := (<-told).Error()
	for _, want := range []string{"sh ended by itself", "exit status 3", "out of luck"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	p.stop(time.Minute)
}

func TestMissingProgramIsAnError(t *testing.T) {
	p := newProcess(t)
	if err := p.start(filepath.Join(t.TempDir(), "nothing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want %v", err, os.ErrNotExist)
	}
	p.stop(time.Minute)
}

// newProcess returns a process that must not be lost.
func newProcess(t *testing.T) *process {
	return &process{
		log:  filepath.Join(t.TempDir(), "child.log"),
		lost: func(err error) { t.Error(err) },
	}
}

// untilLogged waits until the child has got to a point that it logs.
func untilLogged(t *testing.T, p *process, words string) {
	t.Helper()
	eventually(t, "the child to log "+words, func() bool { return strings.Contains(string(tail(p.log, 9)), words) })
}

func expectGone(t *testing.T, pid int) {
	t.Helper()
	eventually(t, fmt.Sprintf("process %d to be gone", pid), func() bool { return !running(pid) })
}

// running is false for a process that ended, also when nobody has reaped it yet.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, afterName, _ := strings.Cut(string(stat), ") ")
	return err != nil || !strings.HasPrefix(afterName, "Z")
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 5*time.Millisecond, 10*time.Second, true,
		func(context.Context) (bool, error) { return holds(), nil })
	if err != nil {
		t.Fatalf("waiting for %s: %v", what, err)
	}
}
