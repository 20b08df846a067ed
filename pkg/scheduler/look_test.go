package scheduler

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/kubernetes/fake"

	"go.uber.org/goleak"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// Whoever looks sees what the informers have told, and the loop goes on.
func TestLookSeesTheEngineWhileItSleeps(t *testing.T) {
	defer goleak.VerifyNone(t)
	other := onePod("other")
	other.Spec.SchedulerName = "someone"
	s, err := New(config.Default(), Deps{Client: fake.NewClientset(oneNode(), other), Grace: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	<-s.Ready()
	for range 2 {
		var mismatch engine.Mismatch
		nodes := 0
		if !s.look(ctx, func(e *engine.Engine) {
			mismatch, nodes = e.Compare(s.known()), e.View().Nodes()
		}) {
			t.Fatal("nobody looked")
		}
		if nodes != 1 || !mismatch.Empty() {
			t.Errorf("%d nodes, want 1, mismatch %+v", nodes, mismatch)
		}
	}
	if pods := s.Pods(); len(pods) != 1 || pods[0].Name != "other" {
		t.Errorf("pods %v, want the other one", pods)
	}
	s.Dump(ctx)
	cancel()
	<-ended
	if s.look(ctx, func(*engine.Engine) {}) {
		t.Error("somebody looked after the end")
	}
}

func TestTurningCountsTheTurnAndNotTheSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Scheduler
		if got := s.Turning(); got != 0 {
			t.Errorf("before it runs: %v", got)
		}
		s.pulse.beat()
		time.Sleep(time.Minute) // of the bubble's own time
		if got := s.Turning(); got != time.Minute {
			t.Errorf("in a turn: %v, want a minute", got)
		}
		s.pulse.rest()
		if got := s.Turning(); got != 0 {
			t.Errorf("asleep: %v, want 0", got)
		}
	})
}

func TestEachProfileIsMeasured(t *testing.T) {
	var asked []string
	cfg := config.Default()
	if _, err := New(cfg, Deps{Client: fake.NewClientset(), Probe: func(profile string) runtime.Probe {
		asked = append(asked, profile)
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if want := []string{config.DefaultSchedulerName}; !slices.Equal(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
}
