package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

// buildGrace is how long an interrupted build may take to clean up.
const buildGrace = 10 * time.Second

// build makes the programs of the control plane, which takes minutes once, and this scheduler.
func build(ctx context.Context, b *board, r *room) error {
	b.step("building", "etcd and kube-apiserver (about 8 minutes, unless they are there)")
	if _, err := tools.Paths(ctx, "etcd", "kube-apiserver"); err != nil {
		return err
	}
	b.step("building", "this scheduler")
	// Without the flags of make build it shares the compiled packages of this very program.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", r.scheduler(), "./cmd/kube-scheduler")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = buildGrace
	err := cmd.Run()
	if err != nil {
		_ = os.Remove(r.scheduler()) // go build refuses to replace one that is half written
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("cannot wait for the build of the scheduler to end: %w", context.Cause(ctx))
	case err != nil:
		return fmt.Errorf("cannot build the scheduler: %w", err)
	}
	return nil
}
