package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/berth-scheduler/berth/test/bench/report"
	"github.com/berth-scheduler/berth/test/bench/result"
)

// say prints a line of progress.
func say(format string, args ...any) { fmt.Printf("bench: "+format+"\n", args...) }

// summary is a result in a line.
func (b *bench) summary(r result.Result) string {
	noise := fmt.Sprintf("(steal %.1f %%, foreign %.1f %%, drift %.1f %%, %d cuts)",
		r.Noise.Steal, r.Noise.Foreign, r.Noise.Drift, r.Noise.Cuts)
	memory := float64(r.PeakRSS) / (1 << 20)
	switch {
	case r.Failed != "":
		return "FAILED: " + r.Failed
	case r.Void != "":
		return "void: " + r.Void
	case r.Pods == 0:
		return fmt.Sprintf("start-up %.2f CPU s, %.0f MiB %s", r.CPU, memory, noise)
	}
	cost := fmt.Sprintf("%.2f CPU s with the start-up", r.CPU)
	if startups := b.startupsOf(r.Cell); len(startups) > 0 || r.Rate > 0 {
		cost = fmt.Sprintf("%.3f CPU ms/pod", report.CPUPerPod(r, report.MedianStartup(startups)))
	}
	if r.Latency != nil {
		return fmt.Sprintf("%s, p50 %.1f ms, p99 %.1f ms %s", cost, r.Latency.P50*1000, r.Latency.P99*1000, noise)
	}
	return fmt.Sprintf("%s, %.0f pods/s, %.0f MiB %s", cost, r.BoundPerSecond(), memory, noise)
}

// startupsOf returns the good start-ups of a cell's scheduler in its case.
func (b *bench) startupsOf(cell result.Cell) []result.Result {
	var startups []result.Result
	for _, r := range b.results {
		if r.Case == cell.Startup() && r.Scheduler == cell.Scheduler && r.Good() {
			startups = append(startups, r)
		}
	}
	return startups
}

// report prints the page and writes it with its companions. It is an error if a run failed.
func (b *bench) report() error {
	d := &report.Data{
		Title: fmt.Sprintf("Schedulers side by side, %s", b.mode),
		About: []string{
			fmt.Sprintf("%d CPUs, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, time.Now().UTC().Format(time.RFC3339)),
			fmt.Sprintf("beside %s; the key of these programs is %s", b.programs.release, b.programs.key),
			fmt.Sprintf("medians of %d interleaved runs, start-ups of %d; ± is half the distance between the extremes", b.runs, b.startups),
		},
		Cases: b.cases, Schedulers: b.schedulers, Results: b.results, NotBuilt: b.notBuilt,
	}
	page := report.Markdown(d)
	fmt.Printf("\n%s\n%s\n", page, report.BenchLines(d))
	err := errors.Join(b.write(".md", page), b.write(".txt", report.BenchLines(d)), b.write(".svg", report.Chart(d)))
	for _, r := range b.results {
		if r.Failed != "" {
			return errors.Join(err, errors.New("some runs failed, the page names them; the next series runs them again"))
		}
	}
	return err
}

// write writes one file of the report.
func (b *bench) write(ending, text string) error {
	path := filepath.Join(b.out, b.mode+ending)
	say("writing %s", path)
	return os.WriteFile(path, []byte(text), 0o644)
}
