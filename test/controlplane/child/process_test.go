package child

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

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/util/wait"
)

// orphanEnv makes the test binary start a child in the given folder, print its process id and wait.
const orphanEnv = "BERTH_TEST_ORPHAN"

// TestMain checks at the end that the tests, and the package, left no goroutine.
func TestMain(m *testing.M) {
	if os.Getenv(orphanEnv) != "" {
		becomeParentOfOrphan()
	}
	goleak.VerifyTestMain(m)
}

func becomeParentOfOrphan() {
	p := &Process{Log: filepath.Join(os.Getenv(orphanEnv), "orphan.log")}
	if err := p.Start("/bin/sh", "-c", "exec sleep 600"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.PID())
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
	if err := p.Start("/bin/sh", "-c", "trap '' TERM; echo deaf; exec sleep 600"); err != nil {
		t.Fatal(err)
	}
	untilLogged(t, p, "deaf")
	p.Stop(50 * time.Millisecond)
	expectGone(t, p.PID())
}

func TestStopWaitsForAChildThatEndsInTime(t *testing.T) {
	p := newProcess(t)
	const polite = "trap 'echo bye; exit' TERM; echo polite; while :; do sleep 0.01; done"
	if err := p.Start("/bin/sh", "-c", polite); err != nil {
		t.Fatal(err)
	}
	untilLogged(t, p, "polite")
	p.Stop(time.Minute)
	expectGone(t, p.PID())
	if got := p.Tail(1); got != "bye" {
		t.Errorf("got last log line %q, want the child's farewell", got)
	}
}

func TestLostChildIsToldWithItsLastWords(t *testing.T) {
	p := newProcess(t)
	told := make(chan error, 1)
	p.Lost = func(err error) { told <- err }
	if err := p.Start("/bin/sh", "-c", "echo out of luck; exit 3"); err != nil {
		t.Fatal(err)
	}
	got := (<-told).Error()
	for _, want := range []string{"sh ended by itself", "exit status 3", "out of luck"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	p.Stop(time.Minute)
}

func TestMissingProgramIsAnError(t *testing.T) {
	p := newProcess(t)
	if err := p.Start(filepath.Join(t.TempDir(), "nothing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want %v", err, os.ErrNotExist)
	}
	p.Stop(time.Minute)
}

// newProcess returns a process that must not be lost.
func newProcess(t *testing.T) *Process {
	return &Process{
		Log:  filepath.Join(t.TempDir(), "child.log"),
		Lost: func(err error) { t.Error(err) },
	}
}

// untilLogged waits until the child has got to a point that it logs.
func untilLogged(t *testing.T, p *Process, words string) {
	t.Helper()
	eventually(t, "the child to log "+words, func() bool { return strings.Contains(p.Tail(9), words) })
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

func TestTailKeepsTheLastLines(t *testing.T) {
	f := func(text string, lines int, want string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := tail(file, lines); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	f("", 2, "")
	f("a\n", 2, "a")
	f("a\nb\nc\n", 2, "b\nc")
	f("a\nb\nc", 1, "c")
}
