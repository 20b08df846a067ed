package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// binary is the scheduler under test, built once with the checks that tests have:
// invariants, and races if this program looks for them. See subject for what becomes of
// their findings.
var binary string

// unraced is the same without the race detector, where that is in the way. It is built
// when the first test asks.
var unraced = sync.OnceValues(func() (string, error) {
	if !raced {
		return binary, nil
	}
	return build(filepath.Dir(binary), "unraced")
})

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "berth-e2e-")
	if err == nil {
		defer os.RemoveAll(dir)
		binary, err = build(dir, "kube-scheduler", "-race="+strconv.FormatBool(raced))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// build makes a scheduler in a folder.
func build(dir, name string, flags ...string) (path string, err error) {
	path = filepath.Join(dir, name)
	args := append([]string{"build", "-tags", "invariants", "-o", path}, flags...)
	if out, err := exec.Command("go", append(args, "../../cmd/kube-scheduler")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the scheduler: %w\n%s", err, out)
	}
	return path, nil
}

// startBinary runs the scheduler as a process until the test ends. It is the only one, and
// elects nobody.
func startBinary(t *testing.T, c *controlplane.ControlPlane, flags ...string) *subject {
	t.Helper()
	return startAlone(t, c, binary, flags...)
}

// startUnraced does the same without the race detector.
func startUnraced(t *testing.T, c *controlplane.ControlPlane, flags ...string) *subject {
	t.Helper()
	program, err := unraced()
	must(t, err)
	return startAlone(t, c, program, flags...)
}

func startAlone(t *testing.T, c *controlplane.ControlPlane, program string, flags ...string) *subject {
	t.Helper()
	kubeconfig, err := c.Kubeconfig(controlplane.Scheduler)
	must(t, err)
	port, serving := served(t, c)
	args := append([]string{"--kubeconfig=" + kubeconfig, "--leader-elect=false",
		"--kube-api-qps=10000", "--kube-api-burst=10000", "-v=2"}, serving...)
	return startSubject(t, c, launch{program, "kube-scheduler.log", port, append(args, flags...)})
}

// must fails the test on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// within is a context for the waits of one test.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}
