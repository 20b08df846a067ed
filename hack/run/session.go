package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// session is what happens while the control plane is up.
type session struct {
	plane    *controlplane.ControlPlane
	board    *board
	room     *room
	once     bool
	deadline time.Time // for the sample pods; unless once, their creation sets it anew
}

// run starts the scheduler, shows the sample and goes on until ctx ends or the scheduler does.
func (s *session) run(ctx context.Context) (err error) {
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	scheduler, err := s.startScheduler(lose)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopScheduler(scheduler)) }()

	client := s.plane.Client(controlplane.Admin)
	stopWatching, err := watchPods(ctx, client, s.board)
	if err != nil {
		return err
	}
	defer stopWatching()

	missing, err := s.play(ctx, client)
	if err == nil {
		err = s.board.summary(ctx, client)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return err
	}
	err = s.late(missing)
	if s.once {
		s.end()
		return err
	}
	if err != nil {
		s.board.say(err.Error() + "\n")
	}
	s.board.say(hints(s.room.kubeconfig()))
	return s.follow(ctx)
}

// late makes an error of what is missing when the time for it is over.
func (s *session) late(missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("after %v not yet as it should be:\n  %s\nsee %s", patience, strings.Join(missing, "\n  "), s.room.log())
}

// startScheduler starts this scheduler as the user that Kubernetes has for it, with the rights of that user.
func (s *session) startScheduler(lose func(error)) (*child.Process, error) {
	if err := controlplane.WriteKubeconfig(s.room.kubeconfig(), s.plane.RESTConfig(controlplane.Admin)); err != nil {
		return nil, err
	}
	kubeconfig, err := s.plane.Kubeconfig(controlplane.Scheduler)
	if err != nil {
		return nil, err
	}
	s.board.step("starting", "this scheduler as %s, log in %s", controlplane.Scheduler, s.room.log())
	p := &child.Process{Log: s.room.log(), Lost: lose}
	return p, p.Start(s.room.scheduler(), "--kubeconfig="+kubeconfig, "--secure-port=0", "--v=2")
}

// play creates the sample and waits until all of it is decided. It returns what is not as it should be in time.
func (s *session) play(ctx context.Context, client kubernetes.Interface) (missing []string, err error) {
	nodes, pods := sampleNodes(), samplePods()
	s.board.step("creating", "%d nodes, then %d pods; the seconds below count from here", len(nodes), len(pods))
	if err := s.plane.CreateNodes(ctx, nodes...); err != nil {
		return nil, err
	}
	if !s.once {
		s.deadline = time.Now().Add(patience)
	}
	s.board.begin(pods)
	for _, sample := range pods { // one after the other, as order matters to the queue
		if err := s.plane.CreatePods(ctx, sample.pod); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithDeadline(ctx, s.deadline)
	defer cancel()
	if missing := s.board.await(ctx, whileGated(pods)); len(missing) > 0 {
		return missing, nil
	}
	s.board.step("opening", "the gate of %s", gatedPod)
	if err := openGate(ctx, client); err != nil {
		return nil, err
	}
	return s.board.await(ctx, pods), nil
}

// follow shows further decisions until somebody says that it is enough, or the scheduler dies.
func (s *session) follow(ctx context.Context) error {
	<-ctx.Done()
	s.board.say("\n") // below what the terminal shows of a Ctrl-C
	s.end()
	var lost *child.LostError
	if errors.As(context.Cause(ctx), &lost) {
		return lost
	}
	return nil
}

func (s *session) end() { s.board.step("ending", "the scheduler and the control plane") }
