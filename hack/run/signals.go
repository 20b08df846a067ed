package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// errOrphaned is why a run ends whose parent has.
var errOrphaned = errors.New("the process that started this one has ended")

// untilTold returns a context that ends, with the reason as its cause, when this process should: by Ctrl-C or
// SIGTERM, when the terminal or the reader of a pipe is gone, and when the parent is, since `go run` dies of a
// SIGTERM without passing it on.
func untilTold(parent context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watchParent(ctx, func() { cancel(errOrphaned) })
	}()
	return ctx, func() {
		cancel(nil)
		<-watched
		stop()
	}
}

// watchParent looks once a second whether the parent is still the one it was, until ctx ends.
func watchParent(ctx context.Context, gone func()) {
	parent := os.Getppid()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				gone()
				return
			}
		}
	}
}
