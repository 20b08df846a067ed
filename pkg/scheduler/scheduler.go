package scheduler

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/kube"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Deps is what a scheduler needs from outside.
type Deps struct {
	Client kubernetes.Interface
	Seed   uint64 // of the draws between equal nodes

	// Observers are told of each decision and of how it ended, on the loop's
	// goroutine. They must not block.
	Observers []Observer

	// Publish, when not nil, gets the engine's Stats about once a second and when it has
	// nothing to do.
	Publish func(*engine.Stats)

	// Grace is how long Run waits for binds that are out when it is told to stop.
	Grace time.Duration
}

// Observer prints what happens in one way or another.
type Observer interface {
	// Decided is told of a decision: when it began, and how long it took.
	Decided(d engine.Decision, began time.Time, took time.Duration)
	// Settled is told how a placement ended.
	Settled(s engine.Settled, at time.Time)
	// Handled is told which cluster events an input was, and how long it took.
	Handled(events []string, took time.Duration)
}

// Scheduler is a scheduler ready to run. Make one with New.
type Scheduler struct {
	deps   Deps
	mail   *mailbox
	engine *engine.Engine
	watch  *kube.Watch
	writer *kube.Writer
	ready  chan struct{} // closed once everything that existed has been taken in
}

// New builds a scheduler, leaf first. It starts nothing.
func New(cfg config.Config, deps Deps) (*Scheduler, error) {
	s := &Scheduler{deps: deps, mail: newMailbox(), ready: make(chan struct{})}
	engineConfig := engine.Config{
		Compiler:             podspec.NewCompiler(),
		Seed:                 deps.Seed,
		InitialBackoff:       cfg.PodInitialBackoff,
		MaxBackoff:           cfg.PodMaxBackoff,
		PopFromBackoff:       cfg.PopFromBackoff,
		UnschedulableTimeout: cfg.UnschedulableTimeout,
	}
	for _, p := range cfg.Profiles {
		enabled, err := instances(p)
		if err != nil {
			return nil, fmt.Errorf("initializing profiles: creating profile for scheduler name %s: %w", p.SchedulerName, err)
		}
		engineConfig.Profiles = append(engineConfig.Profiles, engine.Profile{
			Name: p.SchedulerName, Plugins: enabled, Sample: runtime.AllNodes,
		})
	}
	var err error
	if s.engine, err = engine.New(engineConfig); err != nil {
		return nil, fmt.Errorf("initializing profiles: %w", err)
	}
	if s.watch, err = kube.NewWatch(deps.Client, s.mail.put); err != nil {
		return nil, err
	}
	s.writer = kube.NewWriter(deps.Client, s.mail.put)
	return s, nil
}

// instances makes the plugins of one profile.
func instances(p config.Profile) ([]runtime.Enabled, error) {
	enabled := make([]runtime.Enabled, 0, len(p.Plugins))
	for _, entry := range p.Plugins {
		plugin, err := plugins.New(entry.Name, p.Args[entry.Name], plugins.Options{})
		if err != nil {
			return nil, err
		}
		enabled = append(enabled, runtime.Enabled{Plugin: plugin, Weight: entry.Weight})
	}
	return enabled, nil
}

// Ready is closed once the scheduler knows everything that existed when it started.
func (s *Scheduler) Ready() <-chan struct{} { return s.ready }

// Run schedules until ctx ends. It returns when all its goroutines have: the watch
// goes first, the writer last, so that what was decided is still written.
func (s *Scheduler) Run(ctx context.Context) {
	calls, cutCalls := context.WithCancel(context.WithoutCancel(ctx))
	watching, stopWatching := context.WithCancel(context.WithoutCancel(ctx))
	var watch, writer sync.WaitGroup
	watch.Go(func() { s.watch.Run(watching) })
	writer.Go(func() { s.writer.Run(calls) })

	if s.watch.WaitForSync(ctx) {
		s.loop(ctx)
	}
	stopWatching()
	watch.Wait()
	s.writer.Close()
	stop := time.AfterFunc(s.deps.Grace, cutCalls)
	writer.Wait()
	stop.Stop()
	cutCalls()
}
