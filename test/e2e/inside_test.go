package e2e

import (
	"context"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/metrics"
	"github.com/berth-scheduler/berth/pkg/scheduler"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// startInside runs the scheduler in this process until the test ends.
func startInside(t *testing.T, c *controlplane.ControlPlane, change func(*rest.Config)) {
	t.Helper()
	rc := c.RESTConfig(controlplane.Scheduler)
	change(rc)
	client, err := kubernetes.NewForConfig(rc)
	must(t, err)
	metrics.Register()
	recorder := metrics.NewRecorder()
	s, err := scheduler.New(config.Default(), scheduler.Deps{
		Client: client, Seed: 1, Grace: 2 * time.Second,
		Observers: []scheduler.Observer{scheduler.NewLog(), recorder}, Publish: recorder.Publish,
	})
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	m := meterInside(c)
	t.Cleanup(func() {
		if !t.Failed() {
			m.expectNobodyFlushed(t)
			m.expectRest(t)
		}
		cancel()
		<-ended
	})
	select {
	case <-s.Ready():
	case <-time.After(30 * time.Second):
		t.Fatal("the scheduler did not become ready")
	}
}
