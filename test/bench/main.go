package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) { // help was printed
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the whole story.
func run(ctx context.Context, args []string) error {
	s, err := parseSettings(args)
	if err != nil {
		return err
	}
	unlock, err := lock(s.out)
	if err != nil {
		return err
	}
	defer unlock()
	b, err := newBench(ctx, s)
	if err != nil {
		return err
	}
	if err := b.measureAll(ctx); err != nil {
		return err
	}
	return b.report()
}
