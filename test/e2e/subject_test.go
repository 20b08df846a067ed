package e2e

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// subject is a scheduler under test as a process. Whatever a test is about, the process
// ends as it is told, and tells of no race and of no broken invariant; and what its meter
// shows is right.
type subject struct {
	*child.Process
	t     *testing.T
	port  string // where it serves
	meter *meter // nil for kube-scheduler
	read  bool   // what it counts has been looked at
}

// launch is how a subject is started.
type launch struct {
	program string // its path
	log     string // what its log is called
	port    string // where its arguments let anybody read metrics
	args    []string
}

// startSubject runs a scheduler until the test ends.
func startSubject(t *testing.T, c *controlplane.ControlPlane, l launch) *subject {
	t.Helper()
	s := &subject{Process: child.StartFor(t, l.log, l.program, l.args...), t: t, port: l.port, meter: meterOf(c, l.port)}
	t.Cleanup(s.end)
	return s
}

// openMetrics is the flag that lets anybody read metrics, besides what is open by default.
const openMetrics = "--authorization-always-allow-paths=/healthz,/livez,/readyz,/metrics"

// certificates are named apart, as one control plane may have several schedulers.
var certificates atomic.Int64

// served returns a port for a scheduler, and the flags that have it serve there.
func served(t *testing.T, c *controlplane.ControlPlane) (port string, flags []string) {
	t.Helper()
	cert, key, err := c.IssueCert(fmt.Sprintf("scheduler-%d", certificates.Add(1)))
	must(t, err)
	port = controlplane.HoldPort(t)
	return port, []string{"--bind-address=127.0.0.1", "--secure-port=" + port, "--permit-port-sharing",
		"--tls-cert-file=" + cert, "--tls-private-key-file=" + key, openMetrics}
}

// Signal sends a signal. What the scheduler counts is gone when one ends it, so it is
// looked at before.
func (s *subject) Signal(sig syscall.Signal) {
	s.t.Helper()
	if sig != syscall.SIGUSR2 {
		s.look()
	}
	s.Process.Signal(sig)
}

// look checks what holds at any time.
func (s *subject) look() {
	s.t.Helper()
	if s.meter != nil && !s.read {
		s.meter.expectNobodyFlushed(s.t)
	}
	s.read = true
}

// end stops what still runs.
func (s *subject) end() {
	if !s.HasEnded() {
		if s.look(); !s.t.Failed() {
			s.meter.expectRest(s.t)
		}
		s.Stop(child.Grace)
		if how := s.Wait(); !how.Success() {
			s.t.Errorf("%s, told to end, ended with %v", s.Log, how)
		}
	}
	text, err := os.ReadFile(s.Log)
	must(s.t, err)
	for _, fault := range []string{"WARNING: DATA RACE", "BUG: "} { // of the race detector and of package invariants
		if at := strings.Index(string(text), fault); at >= 0 {
			s.t.Errorf("%s tells of a fault:\n%s", s.Log, text[at:min(at+4000, len(text))])
		}
	}
}

// attempted returns nil once so many attempts have found no node.
func (s *subject) attempted(n int) error {
	metrics, err := s.meter.read()
	if err != nil {
		return err
	}
	if seen, _ := metrics.Sum("scheduler_schedule_attempts_total", "result", "unschedulable"); int(seen) < n {
		return fmt.Errorf("%v attempts have found no node, want %d", seen, n)
	}
	return nil
}
