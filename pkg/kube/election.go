package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	componentbaseconfig "k8s.io/component-base/config"
	"k8s.io/klog/v2"
)

// ErrLost says that the lease went to another, or could not be renewed in time.
var ErrLost = errors.New("leaderelection lost")

// Election decides which of several schedulers works. The protocol is client-go's; what
// it adds:
//
//  1. The lease is acquired. lead is called, with a context that ends when the lease is
//     lost or the process is told to stop.
//  2. Each renewal arms the fence, so that no write leaves after the lease may have
//     passed on.
//  3. When the process is told to stop, the lease goes on being renewed until lead has
//     returned: what it has sent is resolved first. Then the lease is released.
//  4. When the lease is lost, lead's context ends, and Run returns ErrLost once it has
//     returned.
type Election struct {
	Config   componentbaseconfig.LeaderElectionConfiguration
	Client   kubernetes.Interface // of its own, so that a busy scheduler does not delay renewals
	Identity string
	Fence    *Fence
	Recorder resourcelock.EventRecorder // told of who leads; may be nil
	Watchdog *leaderelection.HealthzAdaptor
}

// Run takes part until ctx ends or the lease is lost. lead is called at most once.
func (e *Election) Run(ctx context.Context, lead func(context.Context)) error {
	lock, err := resourcelock.New(e.Config.ResourceLock, e.Config.ResourceNamespace, e.Config.ResourceName,
		e.Client.CoreV1(), e.Client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: e.Identity, EventRecorder: e.Recorder})
	if err != nil {
		return fmt.Errorf("couldn't create resource lock: %w", err)
	}
	holding, letGo := context.WithCancel(context.WithoutCancel(ctx))
	defer letGo()
	t := term{stopped: ctx, letGo: letGo, lead: lead}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            &watchedLock{Interface: lock, fence: e.Fence},
		LeaseDuration:   e.Config.LeaseDuration.Duration,
		RenewDeadline:   e.Config.RenewDeadline.Duration,
		RetryPeriod:     e.Config.RetryPeriod.Duration,
		ReleaseOnCancel: true,
		Name:            "kube-scheduler",
		WatchDog:        e.Watchdog,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: t.start,
			OnStoppedLeading: func() {},
			OnNewLeader: func(identity string) {
				klog.InfoS("A scheduler leads", "identity", identity, "self", identity == e.Identity)
			},
		},
	})
	if err != nil {
		return fmt.Errorf("couldn't create leader elector: %w", err)
	}
	if e.Watchdog != nil {
		e.Watchdog.SetLeaderElection(elector)
	}
	stop := context.AfterFunc(ctx, t.stopIfIdle)
	defer stop()
	elector.Run(holding)
	t.running.Wait()
	if ctx.Err() == nil {
		return ErrLost
	}
	return nil
}

// term is the time for which this process leads.
type term struct {
	stopped context.Context // ends when the process is told to stop
	letGo   context.CancelFunc
	lead    func(context.Context)
	running sync.WaitGroup

	mu      sync.Mutex // guards leading
	leading bool
}

// start leads until the lease is lost or the process is told to stop, and lets the lease
// go afterwards.
func (t *term) start(held context.Context) {
	t.mu.Lock()
	t.leading = true
	t.running.Add(1)
	t.mu.Unlock()
	defer t.running.Done()
	defer t.letGo()
	ctx, cancel := context.WithCancel(held)
	defer cancel()
	stop := context.AfterFunc(t.stopped, cancel)
	defer stop()
	t.lead(ctx)
}

// stopIfIdle lets a process that does not lead go at once.
func (t *term) stopIfIdle() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.leading {
		t.letGo()
	}
}

// watchedLock tells the fence of each write of the lease that succeeded.
type watchedLock struct {
	resourcelock.Interface
	fence *Fence
}

// Create writes the first record.
func (l *watchedLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	sent := time.Now()
	err := l.Interface.Create(ctx, r)
	l.written(r, sent, err)
	return err
}

// Update writes a renewal, or the release.
func (l *watchedLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	sent := time.Now()
	err := l.Interface.Update(ctx, r)
	l.written(r, sent, err)
	return err
}

func (l *watchedLock) written(r resourcelock.LeaderElectionRecord, sent time.Time, err error) {
	switch {
	case l.fence == nil:
	case r.HolderIdentity == "": // even if the answer was lost
		l.fence.Close()
	case err == nil:
		l.fence.Renewed(sent)
	}
}
