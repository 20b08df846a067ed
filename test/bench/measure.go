package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-scheduler/berth/test/bench/procfs"
	"github.com/berth-scheduler/berth/test/bench/result"
	"github.com/berth-scheduler/berth/test/controlplane/child"
)

const (
	sampleEvery = 100 * time.Millisecond
	patience    = 2 * time.Minute        // for the start-up
	podPatience = 150 * time.Millisecond // more for each pod
)

// measurement is one scheduler at work in a rig.
type measurement struct {
	rig       *rig
	scheduler *child.Process
	noise     noiseMeter

	begin     time.Time
	cpu       time.Duration // of the scheduler at begin
	serverCPU time.Duration // of the servers at begin
}

// start starts a scheduler; the measurement begins before it does anything.
func (r *rig) start(log string, command []string) (m *measurement, err error) {
	m = &measurement{rig: r}
	if m.noise, err = startNoise(r.serverCPU); err != nil {
		return nil, err
	}
	if m.serverCPU, err = r.serverCPU(); err != nil {
		return nil, err
	}
	m.begin = time.Now()
	m.scheduler, err = startChild(log, command)
	return m, err
}

// restart begins anew with a scheduler that has started up.
func (m *measurement) restart() (err error) {
	if m.cpu, err = procfs.CPU(m.scheduler.PID()); err != nil {
		return err
	}
	m.serverCPU, err = m.rig.serverCPU()
	m.begin = time.Now()
	return err
}

// await waits until as many pods are bound and told, and the scheduler is idle.
func (m *measurement) await(ctx context.Context, pods int) (*quiescence, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience+time.Duration(pods)*podPatience, errors.New("it took too long"))
	defer cancel()
	q := &quiescence{want: pods}
	var last sample
	for {
		if err := sleep(ctx, sampleEvery); err != nil {
			return q, fmt.Errorf("%d of %d pods are bound and %d events are there: %w", last.bound, pods, last.events, err)
		}
		next, err := m.sample(ctx, last, pods)
		if err != nil {
			return q, err
		}
		last = next
		switch q.add(last) {
		case quiet:
			return q, nil
		case stuck:
			return q, fmt.Errorf("the scheduler is idle, but %d of %d pods are bound and %d events are there", last.bound, pods, last.events)
		}
	}
}

// sample looks at the run. Events are counted only when all pods are bound, since that costs.
func (m *measurement) sample(ctx context.Context, last sample, pods int) (s sample, err error) {
	if err := alive(m.scheduler); err != nil {
		return s, err
	}
	s.at, s.events = time.Since(m.begin), last.events
	if s.bound, err = m.rig.binds.bound(); err != nil {
		return s, err
	}
	if s.bound >= pods && s.events < pods {
		total, err := countEvents(ctx, m.rig.metadata)
		if err != nil {
			return s, err
		}
		s.events = total - m.rig.told
	}
	cpu, err := procfs.CPU(m.scheduler.PID())
	s.cpu = cpu - m.cpu
	return s, err
}

// finish writes down what the run cost until its last sample, and the noise around it.
func (m *measurement) finish(q *quiescence, r *result.Result) error {
	last := q.samples[len(q.samples)-1]
	server, err := m.rig.serverCPU()
	if err != nil {
		return err
	}
	r.CPU, r.ServerCPU = last.cpu.Seconds(), (server - m.serverCPU).Seconds()
	r.Done, r.Window = q.done.Seconds(), last.at.Seconds()
	if r.PeakRSS, err = procfs.PeakRSS(m.scheduler.PID()); err != nil {
		return err
	}
	r.Noise, err = m.noise.stop(func() (time.Duration, error) {
		scheduler, err := procfs.CPU(m.scheduler.PID())
		return server + scheduler, err
	})
	return err
}
