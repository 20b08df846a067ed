package scheduler

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/kube"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// Deps is what a scheduler needs from outside.
type Deps struct {
	Client kubernetes.Interface

	// InformerName is what metrics call the informers; nil if they are not measured.
	InformerName *cache.InformerName

	Seed uint64 // of the draws between equal nodes

	// Observers are told of each decision and of how it ended, on the loop's
	// goroutine. They must not block.
	Observers []Observer

	// Probe, when not nil, makes what measures the attempts of a profile.
	Probe func(profile string) runtime.Probe

	// HintProbe, when not nil, measures what is asked about events.
	HintProbe queue.Probe

	// Publish, when not nil, gets the engine's Stats about once a second and when it has
	// nothing to do.
	Publish func(*engine.Stats)

	// Grace is how long Run waits for binds that are out when it is told to stop.
	Grace time.Duration

	// Election decides when this scheduler decides; nil means from the start. Client's
	// writes must go through its fence.
	Election *kube.Election
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
	cold   bool // informers start with the term, not before it
	mail   *mailbox
	engine *engine.Engine
	watch  *kube.Watch
	writer *kube.Writer
	ready  chan struct{} // closed once everything that existed has been taken in

	pulse pulse
	looks chan func(*engine.Engine) // who wants to look at the engine, between two turns
}

// New builds a scheduler of a complete configuration, leaf first. It starts nothing.
func New(cfg config.Config, deps Deps) (*Scheduler, error) {
	s := &Scheduler{deps: deps, mail: newMailbox(), ready: make(chan struct{}), looks: make(chan func(*engine.Engine), 1)}
	s.cold = deps.Election != nil && cfg.DelayCacheUntilActive
	engineConfig, err := assemble(cfg, deps.Seed)
	if err != nil {
		return nil, err
	}
	engineConfig.Probe = deps.HintProbe
	for i := range engineConfig.Profiles {
		if p := &engineConfig.Profiles[i]; deps.Probe != nil {
			p.Probe = deps.Probe(p.Name)
		}
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
	if s.watch, err = kube.NewWatch(deps.Client, s.mail.put, deps.InformerName); err != nil {
		return nil, err
	}
	s.writer = kube.NewWriter(deps.Client, s.mail.put)
	return s, nil
}

// Pods returns all pods that have not finished, those of other schedulers too. They must
// not be changed.
func (s *Scheduler) Pods() []*corev1.Pod { return s.watch.Pods() }

// Ready is closed once the scheduler knows everything that existed when it started.
func (s *Scheduler) Ready() <-chan struct{} { return s.ready }
