package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/scheduler"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// binary is the scheduler under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "berth-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "kube-scheduler")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/kube-scheduler").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "cannot build the scheduler: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// startBinary runs the scheduler as a process until the test ends. It is the only one, and
// elects nobody.
func startBinary(t *testing.T, c *controlplane.ControlPlane, flags ...string) *exec.Cmd {
	t.Helper()
	kubeconfig, err := c.Kubeconfig(controlplane.Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.ArtifactDir(), "kube-scheduler.log"))
	if err != nil {
		t.Fatal(err)
	}
	served, url := port(t, c, kubeconfig)
	flags = append([]string{"--kubeconfig=" + kubeconfig, "--leader-elect=false",
		"--kube-api-qps=10000", "--kube-api-burst=10000", "-v=2"}, append(served, flags...)...)
	cmd := exec.Command(binary, flags...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		expectNobodyFlushed(t, c, cmd, url)
		stop(cmd)
		log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("the scheduler's log ends with:\n%s", text[max(0, len(text)-4000):])
		}
	})
	return cmd
}

// stop asks a process to end, and makes it.
func stop(cmd *exec.Cmd) {
	if cmd.ProcessState != nil {
		return
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait() // the exit code is not what these tests look at
}

// startInside runs the scheduler in this process until the test ends.
func startInside(t *testing.T, c *controlplane.ControlPlane, change func(*rest.Config)) {
	t.Helper()
	rc := c.RESTConfig(controlplane.Scheduler)
	change(rc)
	client, err := kubernetes.NewForConfig(rc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scheduler.New(config.Default(), scheduler.Deps{
		Client: client, Seed: 1, Grace: 2 * time.Second, Observers: []scheduler.Observer{scheduler.NewLog()},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	select {
	case <-s.Ready():
	case <-time.After(30 * time.Second):
		t.Fatal("the scheduler did not become ready")
	}
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
