package app

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/server/flagz"
	"k8s.io/apiserver/pkg/server/healthz"
	zpages "k8s.io/component-base/zpages/features"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/pkg/metrics"
	"github.com/berth-scheduler/berth/pkg/server"
)

// openPort opens the secure port and reads what it needs. Nobody is answered yet.
func (s *setup) openPort() error { return s.options.serving.ApplyTo(&s.serving) }

// closePort closes it, unless the server has.
func (s *setup) closePort() {
	if l := s.options.serving.Listener; l != nil {
		_ = l.Close() // it may be closed already
	}
}

// loadAccess makes clients for those who know users and their rights.
func (s *setup) loadAccess() error {
	if s.serving == nil {
		return nil
	}
	if err := s.authentication.ApplyTo(&s.access.Authentication, s.serving, nil); err != nil {
		return err
	}
	return s.authorization.ApplyTo(&s.access.Authorization)
}

// serve answers on the secure port until stop is called. ctx ends when the process is
// told to stop.
func (s *setup) serve(ctx context.Context) (stop func(), err error) {
	if s.serving == nil {
		return func() {}, nil
	}
	shown, err := s.shownConfig()
	if err != nil {
		return nil, err
	}
	port := server.Server{Port: s.serving, Access: s.access, Config: shown, Pages: s.pages(ctx), Grace: grace}
	return port.Start()
}

func (s *setup) pages(ctx context.Context) server.Pages {
	synced := server.Closed("sched-handler-sync", s.scheduler.Ready(), "handlers are not fully synchronized")
	p := server.Pages{
		Livez:      []healthz.HealthChecker{healthz.PingHealthz, server.Progress(s.scheduler.Turning)},
		Readyz:     []healthz.HealthChecker{healthz.NewShutdownHealthz(ctx.Done()), synced},
		Resources:  metrics.NewResources(s.scheduler.Pods),
		Leads:      s.leads,
		Profiling:  *s.config.EnableProfiling,
		Contention: *s.config.EnableContentionProfiling,
	}
	if s.watchdog != nil {
		p.Healthz = append(p.Healthz, s.watchdog)
		p.Livez = append(p.Livez, s.watchdog)
		p.Readyz = append([]healthz.HealthChecker{s.watchdog}, p.Readyz...)
	}
	p.Readyz = append(p.Readyz, s.standing()...)
	if s.config.Gates.Enabled(zpages.ComponentFlagz) {
		p.Flags = flagz.NamedFlagSetsReader{FlagSets: s.shown}
	}
	if s.config.Gates.Enabled(zpages.ComponentStatusz) {
		p.Version = s.config.Gates.Version()
	}
	return p
}

// shownConfig is the configuration as --write-config-to writes it.
func (s *setup) shownConfig() (*configv1.KubeSchedulerConfiguration, error) {
	text, err := s.config.Encode()
	if err != nil {
		return nil, err
	}
	shown := &configv1.KubeSchedulerConfiguration{}
	if err := yaml.Unmarshal(text, shown); err != nil {
		return nil, fmt.Errorf("cannot read back the configuration: %w", err)
	}
	return shown, nil
}

// dump logs how the scheduler stands whenever it is asked to, until stop is called.
func (s *setup) dump(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var dumping sync.WaitGroup
	dumping.Go(func() {
		for {
			select {
			case <-s.dumpOn:
				s.scheduler.Dump(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); dumping.Wait() }
}
