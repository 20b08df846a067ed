package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/metadata"

	"github.com/berth-scheduler/berth/test/bench/procfs"
	"github.com/berth-scheduler/berth/test/controlplane"
)

const (
	settleTime   = 20 * time.Second // at most, for the servers to have nothing left to do
	settleWindow = time.Second
	settledPart  = 0.1 // of a CPU
)

// rig is a fresh control plane on a copy of a dataset, and what watches it.
type rig struct {
	plane    *controlplane.ControlPlane
	metadata metadata.Interface
	servers  []int // process ids of kube-apiserver and etcd
	binds    *bindWatch
	told     int // events that were there before
	dir      string
}

// openRig starts a control plane in a folder and returns when it has nothing left to do.
func openRig(ctx context.Context, data *dataset, dir string) (*rig, error) {
	r := &rig{dir: dir}
	if err := r.open(ctx, data); err != nil {
		r.close()
		return nil, fmt.Errorf("cannot set up a run: %w", err)
	}
	return r, nil
}

func (r *rig) open(ctx context.Context, data *dataset) (err error) {
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	if err := data.copyTo(r.dir); err != nil {
		return err
	}
	if r.plane, err = controlplane.New(ctx, controlplane.Options{DataDir: r.dir}); err != nil {
		return err
	}
	if r.servers, err = procfs.Children(r.dir); err != nil {
		return err
	}
	if len(r.servers) != 2 {
		return fmt.Errorf("found %d processes with %s in their command line, want etcd and kube-apiserver", len(r.servers), r.dir)
	}
	if r.metadata, err = metadata.NewForConfig(r.plane.RESTConfig(controlplane.Admin)); err != nil {
		return err
	}
	if r.told, err = countEvents(ctx, r.metadata); err != nil {
		return err
	}
	if r.binds, err = watchBinds(ctx, r.metadata); err != nil {
		return err
	}
	return r.settle(ctx)
}

// close ends the control plane, and fast: its data is a copy.
func (r *rig) close() {
	if r.binds != nil {
		r.binds.stop()
	}
	if r.plane != nil {
		r.plane.StopAPIServer(0)
		_ = r.plane.Stop() // how it ends changes no number
	}
	_ = os.RemoveAll(r.dir) // the next run tries again
}

// serverCPU returns what kube-apiserver and etcd have used so far.
func (r *rig) serverCPU() (time.Duration, error) {
	var sum time.Duration
	for _, pid := range r.servers {
		cpu, err := procfs.CPU(pid)
		if err != nil {
			return 0, fmt.Errorf("cannot read the CPU time of the control plane: %w", err)
		}
		sum += cpu
	}
	return sum, nil
}

// settle waits until the servers are idle, or for as long as may be.
func (r *rig) settle(ctx context.Context) error {
	end := time.Now().Add(settleTime)
	before, err := r.serverCPU()
	for err == nil && time.Now().Before(end) {
		if err := sleep(ctx, settleWindow); err != nil {
			return err
		}
		var now time.Duration
		now, err = r.serverCPU()
		if (now - before).Seconds() < settledPart*settleWindow.Seconds() {
			return err
		}
		before = now
	}
	return err
}

// sleep is for a while or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
