package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// patience is how long the sample pods have to become what they should.
const patience = 15 * time.Second

func main() {
	once := os.Getenv("BERTH_RUN_ONCE") == "1"
	ctx, stop := untilTold(context.Background())
	err := run(ctx, once)
	if !once && errors.Is(err, context.Cause(ctx)) {
		err = nil // told to end before it had begun
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// run is the whole story. Each part ends what it started, the last one first.
func run(ctx context.Context, once bool) (err error) {
	room, err := openRoom("_out")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, room.close()) }()
	board := newBoard(os.Stdout)
	if err := build(ctx, board, room); err != nil {
		return err
	}
	s := &session{board: board, room: room, once: once, deadline: time.Now().Add(patience)}
	board.step("starting", "etcd and kube-apiserver on loopback")
	return controlplane.Run(ctx, controlplane.Options{}, func(alive context.Context, plane *controlplane.ControlPlane) error {
		s.plane = plane
		err := s.run(alive)
		if ctx.Err() == nil && alive.Err() != nil {
			return nil // the control plane broke: Run tells how
		}
		return err
	})
}
