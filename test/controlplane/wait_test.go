package controlplane

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestWaitsSeeAPodGetANodeOrAReason(t *testing.T) {
	c := shared(t)
	placed := object.Pod(unused("placed"), object.OnNode("n9"))
	gated := object.Pod(unused("gated"), object.Gate("t/hold"))
	if err := c.CreatePods(t.Context(), placed, gated); err != nil {
		t.Fatal(err)
	}
	if node, err := c.WaitBound(t.Context(), "default", placed.Name); err != nil || node != "n9" {
		t.Errorf("got node %q, error %v, want n9", node, err)
	}
	condition, err := c.WaitReason(t.Context(), "default", gated.Name, corev1.PodReasonSchedulingGated)
	if err != nil || condition.Status != corev1.ConditionFalse {
		t.Errorf("got condition %v, error %v, want status False", condition, err)
	}
}

func TestFailedWaitTellsWhatItSawLast(t *testing.T) {
	c := shared(t)
	stuck := unused("stuck")
	if err := c.CreatePods(t.Context(), object.Pod(stuck, object.Gate("t/hold"))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := c.WaitBound(ctx, "default", stuck)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got error %v, want a passed deadline", err)
	}
	told := []string{"for pod default/" + stuck + " to be bound", `node ""`, "PodScheduled False SchedulingGated"}
	for _, want := range told {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got error %q, want %q in it", err, want)
		}
	}
}

func TestWaitEndsWhenTheControlPlaneBreaks(t *testing.T) {
	var c ControlPlane
	c.alive, c.lose = context.WithCancelCause(t.Context())
	broken := errors.New("etcd ended by itself")
	err := c.WaitFor(t.Context(), "better times", func(context.Context) error {
		c.lose(broken)
		return errors.New("not yet")
	})
	if !errors.Is(err, broken) {
		t.Errorf("got error %v, want %v", err, broken)
	}
}
