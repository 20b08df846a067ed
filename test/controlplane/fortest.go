package controlplane

import (
	"context"
	"errors"
	"os"
	"strconv"
	"testing"
	"time"
)

// HoldPort returns a port of loopback that nobody else gets until the test ends. Who serves there must set
// SO_REUSEPORT, as schedulers do with --permit-port-sharing.
func HoldPort(t testing.TB) string {
	t.Helper()
	p, err := holdPort()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.release)
	return strconv.Itoa(p.number)
}

// Start starts a control plane for a test and stops it when the test ends.
// `go test -artifacts` keeps its logs; etcd's data, which is large, goes in any case unless o.DataDir asks for it.
func Start(t testing.TB, o Options) *ControlPlane {
	t.Helper()
	ctx, cancel := beforeDeadline(t)
	defer cancel()
	throwAway := o.DataDir == ""
	if throwAway {
		dir, err := os.MkdirTemp(t.ArtifactDir(), "controlplane-")
		if err != nil {
			t.Fatal(err)
		}
		o.DataDir = dir
	}
	c, err := New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := c.Stop()
		if throwAway {
			err = errors.Join(err, os.RemoveAll(c.path(etcdDir)))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return c
}

// beforeDeadline ends a little before `go test` would end the process, so that a long first build is told as such.
func beforeDeadline(t testing.TB) (context.Context, context.CancelFunc) {
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := t.Deadline(); ok {
			return context.WithDeadline(context.Background(), deadline.Add(-20*time.Second))
		}
	}
	return context.WithCancel(context.Background())
}
