package process

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// scene is a small cluster, and what happens in it step by step.
type scene struct {
	name  string
	nodes []*corev1.Node // at least one
	bound []*corev1.Pod  // pods that are on nodes before the first step
	steps []step
}

// step is one change of the cluster.
type step struct {
	name    string
	do      deed
	dropped float64 // pods that the queue hands out then and that are not tried
}

// stage is a scene on a live program.
type stage struct {
	*live
	scene
	fences  int     // made so far, each with a gated pod
	gated   int     // pods with gates that have come, also those
	now     tally   // the last look at the metrics
	dropped float64 // pods that were woken and never tried, from the start of the program
}

// seated is a pod on the scene's first node that a fence changes.
const seated = "fence-seated"

// play plays a scene, takes down how the queue moved at each step and what was written
// about each pod, and clears the stage.
func (s *stage) play(ctx context.Context, o outcome) (err error) {
	if err := s.open(ctx); err != nil {
		return err
	}
	for _, step := range s.steps {
		item := s.name + ": " + step.name
		delta, err := s.take(ctx, step)
		if err != nil {
			return fmt.Errorf("%s: %w", item, err)
		}
		o.requeues[item] = delta.String()
	}
	if err := s.written(ctx, o.requests); err != nil {
		return err
	}
	return s.clear(ctx)
}

// open makes what is there before the first step. Pods are in a namespace of the scene.
func (s *stage) open(ctx context.Context) (err error) {
	if s.now, err = s.tally(); err != nil {
		return err
	}
	s.dropped = s.now.moved.woken() - s.now.attempts
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.space()}}
	if _, err := s.Client(controlplane.Admin).CoreV1().Namespaces().Create(ctx, space, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := s.CreateNodes(ctx, s.nodes...); err != nil {
		return err
	}
	if err := s.addPods(ctx, append(s.bound, object.Pod(seated, object.OnNode(s.nodes[0].Name)))...); err != nil {
		return err
	}
	_, err = s.settle(ctx)
	return err
}

// take does one step and returns once all that comes of it is over.
func (s *stage) take(ctx context.Context, step step) (counts, error) {
	before := s.now
	if err := step.do(ctx, s); err != nil {
		return nil, err
	}
	s.dropped += step.dropped
	for {
		seen := s.now
		now, err := s.settle(ctx)
		if err != nil {
			return nil, err
		}
		if now.since(seen).String() == "" { // else pods were tried, and those bound may have been news to others
			return now.since(before), nil
		}
	}
}
