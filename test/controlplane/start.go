package controlplane

import (
	"context"
	"os"
)

// start brings everything up, leaf first. What it leaves behind on failure is Stop's to remove.
func (c *ControlPlane) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	steps := []func(context.Context) error{
		c.makeDir, c.holdPorts, c.writeCredentials, c.startEtcd, c.StartAPIServer, c.grantSchedulers,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *ControlPlane) makeDir(context.Context) (err error) {
	if c.dir = c.opts.DataDir; c.dir != "" {
		return os.MkdirAll(c.dir, 0o700)
	}
	c.dir, err = os.MkdirTemp("", "berth-controlplane-")
	return err
}

func (c *ControlPlane) holdPorts(context.Context) error {
	for _, held := range []**port{&c.clientPort, &c.peerPort, &c.apiPort} {
		p, err := holdPort()
		if err != nil {
			return err
		}
		*held = p
	}
	return nil
}
