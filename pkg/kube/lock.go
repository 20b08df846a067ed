package kube

import (
	"context"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// watchedLock tells the fence and the term what happens to the lease.
type watchedLock struct {
	resourcelock.Interface
	fence *Fence
	term  *term
}

// Get reads the lease. Another's name on it shuts the fence at once, even if the election
// goes on trying to renew; a wish of the API server for another holder ends the term.
func (l *watchedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	r, raw, err := l.Interface.Get(ctx)
	switch {
	case err != nil:
	case r.HolderIdentity != l.Identity():
		l.fence.Close()
	case r.PreferredHolder != "":
		l.term.yield()
	}
	return r, raw, err
}

// Create writes the first record.
func (l *watchedLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	sent := time.Now()
	err := l.Interface.Create(ctx, r)
	if err == nil {
		l.fence.Renewed(sent)
	}
	return err
}

// Update writes a renewal, or the release. The lease is released only when nothing more
// is written under it, also after it could not be renewed.
func (l *watchedLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if r.HolderIdentity == "" {
		l.term.end()
		l.fence.Close()
		return l.Interface.Update(ctx, r)
	}
	sent := time.Now()
	err := l.Interface.Update(ctx, r)
	if err == nil {
		l.fence.Renewed(sent)
	}
	return err
}
