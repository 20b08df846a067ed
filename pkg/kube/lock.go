package kube

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// watchedLock tells the fence and the term what happens to the lease. It is for the
// goroutine of one election.
type watchedLock struct {
	resourcelock.Interface
	fence *Fence
	term  *term
	held  bool // we had it once
	lost  bool // and then it was not ours, if only for a moment
}

// errLost is the answer to a write of a lease that was not ours meanwhile.
var errLost = errors.New("the lease was another scheduler's meanwhile")

// Get reads the lease. Another's name on it, or nobody's, shuts the fence and ends the
// term: what we know of the cluster may be from before the other's time, so we may not go
// on, even if the election gets the lease again. A wish of the API server for another
// holder ends the term as well.
func (l *watchedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	r, raw, err := l.Interface.Get(ctx)
	switch {
	case err != nil:
	case r.HolderIdentity != l.Identity():
		l.fence.Close()
		if l.held {
			l.lost = true
			l.term.end()
		}
	case r.PreferredHolder != "":
		l.term.yield()
	}
	return r, raw, err
}

// Create writes the first record.
func (l *watchedLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if l.lost {
		return errLost
	}
	sent := time.Now()
	err := l.Interface.Create(ctx, r)
	if err == nil {
		l.held = true
		l.fence.Renewed(sent)
	}
	return err
}

// Update writes a renewal, or the release. The lease is released only when nothing more
// is written under it, also after it could not be renewed.
func (l *watchedLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	release := r.HolderIdentity == ""
	if release {
		l.term.end()
		l.fence.Close()
	}
	if l.lost { // it is not ours to renew, nor to release
		return errLost
	}
	sent := time.Now()
	err := l.Interface.Update(ctx, r)
	if err == nil && !release {
		l.held = true
		l.fence.Renewed(sent)
	}
	return err
}
