package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/berth-scheduler/berth/test/bench/result"
	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// attempt runs a cell once. An error means that there was no run; a run that went wrong is a result that says so.
func (b *bench) attempt(ctx context.Context, cell result.Cell, data *dataset) (result.Result, error) {
	r := result.Result{Cell: cell}
	rig, err := openRig(ctx, data, filepath.Join(b.work, "plane"))
	if err != nil {
		return r, err
	}
	defer rig.close()
	kubeconfig, err := rig.plane.Kubeconfig(controlplane.Scheduler)
	if err != nil {
		return r, err
	}
	command, err := b.programs.command(cell.Scheduler, kubeconfig, rig.dir)
	if err != nil {
		return r, err
	}
	m, err := rig.start(b.logOf(cell), command)
	if err != nil {
		return r, err
	}
	defer m.scheduler.Stop(child.Grace)
	if err := m.run(ctx, data, &r); err != nil {
		r.Failed = fmt.Sprintf("%v; see %s", err, b.logOf(cell))
	}
	r.Time = time.Now()
	return r, context.Cause(ctx)
}

// run goes on until the scheduler is done, fills in the result and looks whether the scheduler was right.
func (m *measurement) run(ctx context.Context, data *dataset, r *result.Result) error {
	pods := data.objects.Pending
	var due map[string]time.Time
	if r.Rate > 0 {
		var err error
		if due, err = m.offer(ctx, data.live, r.Rate); err != nil {
			return err
		}
		pods = data.live
	}
	q, err := m.await(ctx, len(pods))
	if err != nil {
		return err
	}
	if err := m.finish(q, r); err != nil {
		return err
	}
	m.rig.binds.stop()
	m.times(due, r)
	if r.Noise.Cuts, err = m.rig.cuts(ctx); err != nil {
		return err
	}
	return m.rig.judge(ctx, pods, r.Scheduler == "null")
}

// times writes down when the pods were bound, and how long after the creation of each was due.
func (m *measurement) times(due map[string]time.Time, r *result.Result) {
	w := m.rig.binds
	if len(w.times) == 0 {
		return
	}
	r.FirstBind, r.LastBind = w.first.Sub(m.begin).Seconds(), w.last.Sub(m.begin).Seconds()
	var latencies []time.Duration
	for pod, at := range due {
		latencies = append(latencies, w.times[pod].Sub(at))
	}
	r.Latency = result.LatencyOf(latencies)
}
