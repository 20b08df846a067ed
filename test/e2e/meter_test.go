package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// meter is the metrics of a scheduler that must be right in every test.
type meter struct {
	c      *controlplane.ControlPlane
	serves string // the name of a scheduler whose pods it places
	read   func() (controlplane.Metrics, error)
}

// meterOf reads a port on which anybody may.
func meterOf(c *controlplane.ControlPlane, port string) *meter {
	return &meter{c: c, serves: config.DefaultSchedulerName, read: func() (controlplane.Metrics, error) {
		code, body, err := page(port, "/metrics")
		if err == nil && code != http.StatusOK {
			err = fmt.Errorf("/metrics says %d: %s", code, body)
		}
		if err != nil {
			return nil, err
		}
		return controlplane.ParseMetrics(strings.NewReader(body))
	}}
}

// meterInside reads the metrics of this process: those of all schedulers in it so far, or
// of the last one.
func meterInside(c *controlplane.ControlPlane) *meter {
	return &meter{c: c, serves: config.DefaultSchedulerName, read: func() (controlplane.Metrics, error) {
		families, err := legacyregistry.DefaultGatherer.Gather()
		metrics := controlplane.Metrics{}
		for _, f := range families {
			metrics[f.GetName()] = f
		}
		return metrics, err
	}}
}

// expectNobodyFlushed checks that every pod that was placed had been woken by what helped
// it, and not by the flush that is there in case that something is missed.
func (m *meter) expectNobodyFlushed(t *testing.T) {
	t.Helper()
	metrics, err := m.read()
	if err != nil {
		t.Errorf("the scheduler's metrics: %v", err)
		return
	}
	if flushed, known := metrics.Sum("scheduler_pod_scheduled_after_flush_total"); !known || flushed != 0 {
		t.Errorf("%v pods were placed after a flush (the metric is there: %v), want none", flushed, known)
	}
}

// expectRest waits until the queue has just the pods that wait, and nobody is being decided
// on.
func (m *meter) expectRest(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	err := m.c.WaitFor(ctx, "the queue to have the pods that wait", func(ctx context.Context) error {
		waiting, leaving, err := m.waiting(ctx)
		if err != nil {
			return err
		}
		metrics, err := m.read()
		if err != nil {
			return err
		}
		pending, _ := metrics.Sum("scheduler_pending_pods")
		inFlight, _ := metrics.Sum("scheduler_inflight_events")
		if n := int(pending); n < waiting || n > waiting+leaving || inFlight != 0 {
			err = fmt.Errorf("%v are in it and %v in flight; %d wait, and %d are being deleted", pending, inFlight, waiting, leaving)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// waiting counts the pods without a node, those that are being deleted apart: one that has
// a gate is in the queue, one that was tried is not.
func (m *meter) waiting(ctx context.Context) (waiting, leaving int, err error) {
	list, err := m.c.Client(controlplane.Admin).CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{
		FieldSelector: "spec.nodeName=,spec.schedulerName=" + m.serves})
	if err != nil {
		return 0, 0, err
	}
	for i := range list.Items {
		switch p := &list.Items[i]; {
		case p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed:
		case p.DeletionTimestamp != nil:
			leaving++
		default:
			waiting++
		}
	}
	return waiting, leaving, nil
}
