package e2e

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// A request that is not done holds up the end for some seconds. Who sends a second signal
// does not want to wait, and gets the code of a failure.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			c := controlplane.Start(t, controlplane.Options{})
			ctx := within(t, time.Minute)
			p := startBinary(t, c, "--authorization-always-allow-paths=/debug/flags/v")
			port := p.port
			must(t, c.WaitFor(ctx, "/readyz", func(context.Context) error { return ready(port) }))
			halfRequest(t, port)
			p.Signal(s)
			must(t, c.WaitFor(ctx, "the port to close", func(context.Context) error {
				if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
					return errors.Join(errors.New("it is open"), conn.Close())
				}
				return nil
			}))
			p.Signal(s)
			told := time.Now()
			if code, took := p.Wait().ExitCode(), time.Since(told); code != 1 || took > 3*time.Second {
				t.Errorf("ended with code %d after %v, want 1 at once", code, took)
			}
		})
	}
}

// halfRequest sends a request without its body, and returns when the server waits for it.
func halfRequest(t *testing.T, port string) {
	t.Helper()
	conn, err := tls.Dial("tcp", "127.0.0.1:"+port, &tls.Config{InsecureSkipVerify: true})
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprint(conn, "PUT /debug/flags/v HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
	must(t, err)
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the server says %q (%v), want that it waits", line, err)
	}
}

// The API server does not serve candidates, and is to elect the leader. The scheduler
// follows what happens, is not ready, and never leads, as kube-scheduler; it ends as told.
func TestCandidateThatTheAPIServerDoesNotKnow(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, time.Minute)
	p := startBinary(t, c, "--leader-elect=true", "--feature-gates=CoordinatedLeaderElection=true")
	port := p.port
	must(t, c.WaitFor(ctx, "two tries", func(context.Context) error {
		tries, err := c.Audit(func(e *controlplane.AuditEvent) bool {
			return e.Verb == "list" && e.ObjectRef.Resource == "leasecandidates"
		})
		if err == nil && len(tries) < 2 {
			err = fmt.Errorf("%d tries", len(tries))
		}
		return err
	}))
	const want = "[+]sched-handler-sync ok\n[-]informer-sync failed: reason withheld\n"
	if code, body, err := page(port, "/readyz"); code != 500 || !strings.Contains(body, want) {
		t.Errorf("/readyz: %d %s (%v), want %s", code, body, err, want)
	}
	if code, body, err := page(port, "/livez"); code != 200 {
		t.Errorf("/livez: %d %s (%v)", code, body, err)
	}
	p.Signal(syscall.SIGTERM)
	if how := p.Wait(); !how.Success() {
		t.Errorf("ended with %v", how)
	}
}
