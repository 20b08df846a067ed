package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// certificates are named apart, as one control plane may have several schedulers.
var certificates atomic.Int64

// port returns the flags for a secure port that an admin may read, and where it is.
func port(t *testing.T, c *controlplane.ControlPlane, kubeconfig string) (flags []string, url string) {
	t.Helper()
	name := fmt.Sprintf("scheduler-%d", certificates.Add(1))
	cert, key, err := c.IssueCert(name)
	must(t, err)
	number := controlplane.FreePort(t)
	return []string{
		"--bind-address=127.0.0.1", "--secure-port=" + number, "--tls-cert-file=" + cert, "--tls-private-key-file=" + key,
		"--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
	}, "https://127.0.0.1:" + number
}

// expectNobodyFlushed checks that every pod that was placed had been woken by what helped
// it, and not by the flush that is there in case that something is missed.
func expectNobodyFlushed(t *testing.T, c *controlplane.ControlPlane, cmd *exec.Cmd, url string) {
	if cmd.ProcessState != nil || t.Failed() {
		return // the test has ended the scheduler, or looks at something else now
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	metrics, err := c.Metrics(ctx, url+"/metrics", controlplane.Admin)
	if err != nil {
		t.Errorf("the scheduler's metrics: %v", err)
		return
	}
	if flushed, known := metrics.Sum("scheduler_pod_scheduled_after_flush_total"); !known || flushed != 0 {
		t.Errorf("%v pods were placed after a flush (the metric is there: %v), want none", flushed, known)
	}
}
