package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/berth-scheduler/berth/test/bench/result"
	"github.com/berth-scheduler/berth/test/bench/workload"
)

// bench is a series of runs.
type bench struct {
	*settings
	set      *workload.Set
	programs *programs
	store    result.Store
	work     string // folder of the run that is on
	results  []result.Result
}

// newBench builds what is needed, and removes what other series left and this one has no use for.
func newBench(ctx context.Context, s *settings) (*bench, error) {
	set, err := workload.BuiltIn()
	if err != nil {
		return nil, err
	}
	out, err := filepath.Abs(s.out) // command lines and logs are the same wherever a program runs
	if err != nil {
		return nil, err
	}
	say("building the schedulers and the control plane")
	programs, err := buildPrograms(ctx, filepath.Join(out, "bin"), s.schedulers)
	if err != nil {
		return nil, err
	}
	b := &bench{settings: s, set: set, programs: programs, work: filepath.Join(out, "work-"+programs.key)}
	b.store.Dir = filepath.Join(out, s.mode+"-"+programs.key)
	say("results go to %s", b.store.Dir)
	return b, b.removeOldWork(out)
}

// removeOldWork removes data of other programs.
func (b *bench) removeOldWork(out string) error {
	old, err := filepath.Glob(filepath.Join(out, "work-*"))
	for _, dir := range old {
		if dir != b.work {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	return err
}

// measureAll measures one case after the other.
func (b *bench) measureAll(ctx context.Context) error {
	for _, c := range b.cases {
		if c.Rate == 0 {
			if err := b.measureCase(ctx, c.Startup(), b.startups); err != nil {
				return err
			}
		}
		if err := b.measureCase(ctx, c, b.runs); err != nil {
			return err
		}
	}
	return os.RemoveAll(b.work)
}

// measureCase runs the cells of a case that have no result yet.
func (b *bench) measureCase(ctx context.Context, c result.Case, runs int) error {
	var data *dataset
	for _, cell := range result.Interleave(c, b.schedulers, runs) {
		r, found, err := b.store.Load(cell)
		if err != nil {
			return err
		}
		if !found || !r.Good() {
			if data == nil { // the first cell that has to run
				if data, err = b.prepare(ctx, c); err != nil {
					return err
				}
			}
			if r, err = b.measure(ctx, cell, data); err != nil {
				return err
			}
		}
		b.results = append(b.results, r)
		say("%s: %s", cell, b.summary(r))
	}
	if data == nil {
		return nil
	}
	return os.RemoveAll(data.dir)
}

// prepare makes the data of a case. In live mode the measured pods come later.
func (b *bench) prepare(ctx context.Context, c result.Case) (*dataset, error) {
	say("%s: preparing", c)
	objects, err := b.set.Build(c.Workload, c.Nodes, c.Pods)
	if err != nil {
		return nil, err
	}
	live := objects.Pending
	if c.Rate > 0 {
		objects.Pending = nil
	}
	data, err := prepare(ctx, filepath.Join(b.work, c.String()), objects)
	if err != nil {
		return nil, err
	}
	data.live = live
	return data, nil
}

// measure runs a cell, in a strict series a second time when the first was too noisy, and keeps the result.
func (b *bench) measure(ctx context.Context, cell result.Cell, data *dataset) (r result.Result, err error) {
	for range 2 {
		if r, err = b.attempt(ctx, cell, data); err != nil {
			return r, err
		}
		if !b.strict || r.Failed != "" {
			break
		}
		if r.Void = tooMuch(r.Noise); r.Void == "" {
			break
		}
		say("%s: void, %s", cell, r.Void)
	}
	return r, b.store.Save(r)
}

func (b *bench) logOf(cell result.Cell) string {
	return filepath.Join(b.store.Dir, "logs", cell.String()+".log")
}
