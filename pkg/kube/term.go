package kube

import (
	"context"
	"sync"
)

// term is the time for which this process leads. There is one at most.
type term struct {
	stopped context.Context // ends when the process is told to stop
	letGo   context.CancelFunc
	lead    func(context.Context)
	running sync.WaitGroup

	mu     sync.Mutex         // guards the fields below
	cancel context.CancelFunc // ends lead's context; nil before it is called
	over   bool               // it is not called any more
}

// start leads until the lease is lost or the process is told to stop, and lets the lease
// go afterwards.
func (t *term) start(held context.Context) {
	ctx, cancel := context.WithCancel(held)
	defer cancel()
	defer t.letGo()
	if !t.begin(cancel) {
		return
	}
	defer t.running.Done()
	stop := context.AfterFunc(t.stopped, cancel)
	defer stop()
	t.lead(ctx)
}

func (t *term) begin(cancel context.CancelFunc) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return false
	}
	t.cancel = cancel
	t.running.Add(1)
	return true
}

// stopIfIdle lets a process that does not lead go at once.
func (t *term) stopIfIdle() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancel == nil {
		t.letGo()
	}
}

// yield asks lead to come to an end.
func (t *term) yield() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancel != nil {
		t.cancel()
	}
}

// end ends the term, and returns when lead has.
func (t *term) end() {
	t.mu.Lock()
	t.over = true
	if t.cancel != nil {
		t.cancel()
	}
	t.mu.Unlock()
	t.running.Wait()
}
