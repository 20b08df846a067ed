package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"

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
//  2. Each renewal opens the fence, so that no write leaves after the lease may have
//     passed on.
//  3. When the process is told to stop, the lease goes on being renewed until lead has
//     returned: what it has sent is resolved first. Then the lease is released.
//  4. When the lease is lost, lead's context ends, and Run returns ErrLost once it has
//     returned. If the API server wants another leader, it is as 3 with that error.
type Election struct {
	Config    componentbaseconfig.LeaderElectionConfiguration
	Client    kubernetes.Interface // of its own, so that a busy scheduler does not delay renewals
	Identity  string
	Fence     *Fence
	Source    string                         // where events about the lease say they come from
	Watchdog  *leaderelection.HealthzAdaptor // told whom to watch; may be nil
	Candidate *Candidate                     // when the API server elects; else nil
}

// Run takes part until ctx ends or the lease is lost. lead is called at most once.
func (e *Election) Run(ctx context.Context, lead func(context.Context)) error {
	holding, letGo := context.WithCancel(context.WithoutCancel(ctx))
	defer letGo()
	t := &term{stopped: ctx, letGo: letGo, lead: lead}
	h := &herald{client: e.Client, source: e.Source}
	elector, err := e.elector(t, h)
	if err != nil {
		return err
	}
	if e.Watchdog != nil {
		e.Watchdog.SetLeaderElection(elector)
	}
	stop := context.AfterFunc(ctx, t.stopIfIdle)
	defer stop()
	standing, withdraw := context.WithCancel(ctx)
	var candidate sync.WaitGroup
	if e.Candidate != nil {
		candidate.Go(func() { e.Candidate.run(standing) })
	}
	elector.Run(holding)
	t.end()
	withdraw()
	candidate.Wait()
	h.wait()
	if ctx.Err() == nil {
		return ErrLost
	}
	return nil
}

func (e *Election) elector(t *term, h *herald) (*leaderelection.LeaderElector, error) {
	lock, err := resourcelock.New(e.Config.ResourceLock, e.Config.ResourceNamespace, e.Config.ResourceName,
		e.Client.CoreV1(), e.Client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: e.Identity, EventRecorder: h})
	if err != nil {
		return nil, fmt.Errorf("couldn't create resource lock: %w", err)
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            &watchedLock{Interface: lock, fence: e.Fence, term: t},
		LeaseDuration:   e.Config.LeaseDuration.Duration,
		RenewDeadline:   e.Config.RenewDeadline.Duration,
		RetryPeriod:     e.Config.RetryPeriod.Duration,
		ReleaseOnCancel: true,
		Coordinated:     e.Candidate != nil,
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
		return nil, fmt.Errorf("couldn't create leader elector: %w", err)
	}
	return elector, nil
}
