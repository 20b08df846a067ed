package process

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// settle waits until the program has handled all that has happened, and has tried every
// pod that was ever woken, but for those dropped.
func (s *stage) settle(ctx context.Context) (tally, error) {
	before := s.now
	if err := s.fence(ctx, before); err != nil {
		return tally{}, err
	}
	err := s.look(ctx, "the step to be over", func() error {
		if due := s.now.moved.woken() - s.dropped; s.now.pending > 0 || s.now.attempts != due {
			return fmt.Errorf("%v pods wait to be tried, %v of %v were", s.now.pending, s.now.attempts, due)
		}
		if s.now.moved[gatedCame] < before.moved[gatedCame]+float64(s.gated-before.gated) {
			return fmt.Errorf("the gated pod was not counted")
		}
		return nil
	})
	s.now.fences, s.now.gated = s.fences, s.gated
	return s.now, err
}

// fence waits until the program has handled a change of a node's condition and of a bound
// pod's annotation, which no plugin listens to, and so what came before. The gated pod
// that it makes then is counted no sooner than what had moved.
func (s *stage) fence(ctx context.Context, before tally) error {
	s.fences++
	status := corev1.ConditionTrue
	if s.fences%2 == 0 {
		status = corev1.ConditionFalse
	}
	toggle := fmt.Sprintf(`{"status":{"conditions":[{"type":"Fence","status":%q}]}}`, status)
	if err := s.patchNode(ctx, s.nodes[0].Name, toggle, "status"); err != nil {
		return err
	}
	if err := s.patchPod(ctx, seated, fmt.Sprintf(`{"metadata":{"annotations":{"fence":"%d"}}}`, s.fences)); err != nil {
		return err
	}
	if err := s.look(ctx, "the fence to be seen", func() error {
		for event, n := range s.now.handled {
			if n <= before.handled[event] {
				return fmt.Errorf("%s was handled %v times, as before", event, n)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return s.addPods(ctx, object.Pod(fmt.Sprint("fence-", s.fences), object.Gate("example.com/fence")))
}

// look reads the metrics again and again until they are as they should.
func (s *stage) look(ctx context.Context, what string, holds func() error) error {
	return s.until(ctx, what, func(context.Context) (err error) {
		if s.now, err = s.tally(); err != nil {
			return err
		}
		return holds()
	})
}

// until waits for a condition of the program.
func (l *live) until(ctx context.Context, what string, holds func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return l.WaitFor(ctx, what, holds)
}
