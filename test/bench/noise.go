package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/berth-scheduler/berth/test/bench/procfs"
	"github.com/berth-scheduler/berth/test/bench/result"
)

// What a strict series puts up with, in percent.
const (
	maxSteal = 2
	maxDrift = 3
)

// noiseMeter tells what the machine did besides a run.
type noiseMeter struct {
	spin    time.Duration
	machine procfs.Machine
	ours    time.Duration // CPU time of the driver and of all that it started
}

// startNoise begins to listen. theirs tells what the children have used so far.
func startNoise(theirs func() (time.Duration, error)) (m noiseMeter, err error) {
	m.spin = procfs.Spin()
	if m.ours, err = withDriver(theirs); err != nil {
		return m, err
	}
	m.machine, err = procfs.ReadMachine()
	return m, err
}

// stop returns the noise since the start.
func (m noiseMeter) stop(theirs func() (time.Duration, error)) (result.Noise, error) {
	machine, err := procfs.ReadMachine()
	if err != nil {
		return result.Noise{}, err
	}
	ours, err := withDriver(theirs)
	return noise(machine.Since(m.machine), ours-m.ours, m.spin, procfs.Spin()), err
}

// withDriver adds what this process has used.
func withDriver(theirs func() (time.Duration, error)) (time.Duration, error) {
	sum, err := theirs()
	if err != nil {
		return 0, err
	}
	driver, err := procfs.CPU(os.Getpid())
	return sum + driver, err
}

// noise makes percents of what was read.
func noise(machine procfs.Machine, ours, before, after time.Duration) result.Noise {
	part := func(of time.Duration) float64 { return 100 * float64(of) / float64(max(1, machine.Total)) }
	return result.Noise{
		Steal:   part(machine.Steal),
		Foreign: part(max(0, machine.Busy-ours)),
		Drift:   100 * math.Abs(float64(after)/float64(max(1, before))-1),
	}
}

// tooMuch says what makes the numbers of a run worthless, nothing when they are not.
func tooMuch(n result.Noise) string {
	switch {
	case n.Steal > maxSteal:
		return fmt.Sprintf("steal was %.1f %%, more than %d %%", n.Steal, maxSteal)
	case n.Drift > maxDrift:
		return fmt.Sprintf("a fixed piece of work took %.1f %% more or less after the run, more than %d %%", n.Drift, maxDrift)
	}
	return ""
}
