package scheduler

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/kube"
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

// New builds a scheduler of a complete configuration, leaf first. It starts nothing.
func New(cfg config.Config, deps Deps) (*Scheduler, error) {
	s := &Scheduler{deps: deps, mail: newMailbox(), ready: make(chan struct{})}
	engineConfig, err := assemble(cfg, deps.Seed)
	if err != nil {
		return nil, err
	}
	if s.engine, err = engine.New(engineConfig); err != nil {
		return nil, fmt.Errorf("initializing profiles: %w", err)
	}
	if err := checkSorts(&cfg, s.engine); err != nil {
		return nil, fmt.Errorf("initializing profiles: %w", err)
	}
	for i := range cfg.Profiles {
		logTable(s.engine.Table(*cfg.Profiles[i].SchedulerName))
	}
	if s.watch, err = kube.NewWatch(deps.Client, s.mail.put); err != nil {
		return nil, err
	}
	s.writer = kube.NewWriter(deps.Client, s.mail.put)
	return s, nil
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
