package scheduler

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

const (
	// lastWords is how long after the end of a term events and status patches may still
	// be written. The next leader may take 4.4s to find the lease free, and is to bind
	// within 6s.
	lastWords = 1500 * time.Millisecond
	// barrierRetry is the wait between two tries to catch up.
	barrierRetry = 500 * time.Millisecond
)

// Run schedules until ctx ends, and returns when all its goroutines have. With an
// election it returns kube.ErrLost when the lease is lost. The order of things:
//
//  1. The informers start. When everything that exists has been taken in, the scheduler is
//     ready, and follows what happens without deciding anything.
//  2. It is elected, if there is an election, and catches up with what the last leader did.
//  3. It decides until the term ends: it is told to stop, or the lease is lost.
//  4. Binds that no call has been made for are taken back. Those that are out are resolved,
//     then what else was decided is written. When the lease is lost, nothing can be sent,
//     and none of this takes any time.
//  5. The lease is released. It was renewed until now.
func (s *Scheduler) Run(ctx context.Context) error {
	r := newRun(ctx, s)
	defer r.finish()
	if s.cold {
		return s.deps.Election.Run(ctx, r.leadCold)
	}
	if !r.follow(ctx) {
		return nil
	}
	if s.deps.Election == nil {
		r.decide(ctx)
		return nil
	}
	return s.deps.Election.Run(ctx, r.lead)
}

// run is a scheduler that runs.
type run struct {
	*Scheduler
	terms chan context.Context // to the loop; closed when none comes any more

	loops, watches, writers sync.WaitGroup

	watching, calls        context.Context
	stopWatching, cutCalls context.CancelFunc
}

func newRun(ctx context.Context, s *Scheduler) *run {
	r := &run{Scheduler: s, terms: make(chan context.Context)}
	r.watching, r.stopWatching = context.WithCancel(context.WithoutCancel(ctx))
	r.calls, r.cutCalls = context.WithCancel(context.WithoutCancel(ctx))
	r.writers.Go(func() { s.writer.Run(r.calls) })
	return r
}

// follow starts the informers and the loop. It returns false if ctx ended before
// everything that exists was known.
func (r *run) follow(ctx context.Context) bool {
	r.watches.Go(func() { r.watch.Run(r.watching) })
	if !r.watch.WaitForSync(ctx) {
		return false
	}
	r.loops.Go(func() { r.loop(r.terms) })
	return true
}

// leadCold is lead for a scheduler that has not followed anything yet.
func (r *run) leadCold(term context.Context) {
	if r.follow(term) {
		r.lead(term)
	}
}

// lead decides for a term, after it has caught up with the last leader.
func (r *run) lead(term context.Context) {
	began, told := time.Now(), ""
	err := wait.PollUntilContextCancel(term, barrierRetry, true, func(ctx context.Context) (bool, error) {
		err := r.watch.CatchUp(ctx)
		if err != nil && ctx.Err() == nil && err.Error() != told {
			told = err.Error() // once, as long as it is the same
			klog.ErrorS(err, "Cannot catch up with the last leader; retrying")
		}
		return err == nil, nil
	})
	if err == nil {
		klog.InfoS("Leading", "caughtUpIn", time.Since(began))
		r.decide(term)
	}
}

// decide lets the loop decide for a term, and returns when what was decided is resolved
// and written.
func (r *run) decide(term context.Context) {
	select {
	case r.terms <- term:
	case <-term.Done():
		return
	}
	<-term.Done()
	ended := time.Now()
	r.loops.Wait()
	r.flush(r.timeToWrite(ended))
}

// timeToWrite is how long events and status patches may still be written after a term.
func (r *run) timeToWrite(ended time.Time) time.Duration {
	switch {
	case r.deps.Election == nil:
		return r.deps.Grace
	case !r.maySend():
		return 0
	}
	return max(0, lastWords-time.Since(ended))
}

// maySend reports whether a write may leave this process.
func (s *Scheduler) maySend() bool {
	return s.deps.Election == nil || s.deps.Election.Fence.Open(time.Now())
}

// flush ends the writer: what it has taken over is written, or cut off after some time.
func (r *run) flush(limit time.Duration) {
	r.writer.Close()
	cut := time.AfterFunc(limit, r.cutCalls)
	defer cut.Stop()
	r.writers.Wait()
}

// finish ends whatever still runs.
func (r *run) finish() {
	close(r.terms)
	r.loops.Wait()
	r.stopWatching()
	r.watches.Wait()
	r.flush(r.deps.Grace)
	r.cutCalls()
}
