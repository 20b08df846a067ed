package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane/child"
	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

const (
	startTimeout = 90 * time.Second // for a busy machine; four seconds are normal
	stopGrace    = 5 * time.Second
)

// errStopped is why a control plane is not alive after Stop.
var errStopped = errors.New("the control plane was stopped")

// ControlPlane is a running etcd and kube-apiserver. Its methods may be called from many goroutines, except that
// Stop, StopAPIServer and StartAPIServer come one after the other.
type ControlPlane struct {
	opts   Options
	dir    string
	ca     *authority
	tokens map[string]string // by user name

	clientPort, peerPort, apiPort *port

	etcdPath, apiPath string
	etcd, api         *child.Process

	alive context.Context // ends, with the reason as cause, when a child ends by itself or Stop is called
	lose  context.CancelCauseFunc
}

// New starts a control plane that runs until Stop, and returns when it is ready. The context limits the start only.
func New(ctx context.Context, o Options) (*ControlPlane, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	programs, err := tools.Paths(ctx, "etcd", "kube-apiserver")
	if err != nil {
		return nil, err
	}
	c := &ControlPlane{opts: o, etcdPath: programs[0], apiPath: programs[1]}
	c.alive, c.lose = context.WithCancelCause(context.Background())
	if err := c.start(ctx); err != nil {
		_ = c.Stop() // the start's error says more
		return nil, fmt.Errorf("cannot start a control plane: %w", err)
	}
	return c, nil
}

// Run starts a control plane, calls use with it and stops it when use returns. The context that use gets
// ends with ctx and also when etcd or the API server ends by itself.
func Run(ctx context.Context, o Options, use func(context.Context, *ControlPlane) error) (err error) {
	c, err := New(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	ctx, done := c.whileAlive(ctx)
	defer done()
	return use(ctx, c)
}

// Stop ends the API server and etcd, returns when both are gone and removes a throw-away data folder. It fails
// when one of them had ended by itself before. A second Stop does nothing.
func (c *ControlPlane) Stop() error {
	c.lose(errStopped)
	for _, p := range []*child.Process{c.api, c.etcd} {
		if p != nil {
			p.Stop(stopGrace)
		}
	}
	for _, held := range []*port{c.clientPort, c.peerPort, c.apiPort} {
		if held != nil {
			held.release()
		}
	}
	var err error
	if cause := context.Cause(c.alive); !errors.Is(cause, errStopped) {
		err = fmt.Errorf("control plane broke: %w", cause)
	}
	if c.opts.DataDir == "" && c.dir != "" {
		err = errors.Join(err, os.RemoveAll(c.dir))
	}
	return err
}

// Dir is the folder of logs, certificates and data.
func (c *ControlPlane) Dir() string { return c.dir }

// URL is where the API server serves.
func (c *ControlPlane) URL() string { return c.apiPort.url("https") }

// path returns a file in the data folder.
func (c *ControlPlane) path(name string) string { return filepath.Join(c.dir, name) }

// whileAlive returns a context that also ends when the control plane does, with the reason as its cause.
func (c *ControlPlane) whileAlive(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(c.alive, func() { cancel(context.Cause(c.alive)) })
	return ctx, func() {
		release()
		cancel(nil)
	}
}
