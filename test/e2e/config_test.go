package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Two profiles of one file weigh the same two nodes differently (case B63). The file's
// kubeconfig counts, not the flag's, and a flag turns leader election off (case B65).
func TestProfilesOfAFileWeighInTheirOwnWay(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	kubeconfig, err := c.Kubeconfig(controlplane.Scheduler)
	must(t, err)
	file := filepath.Join(t.TempDir(), "config.yaml")
	must(t, os.WriteFile(file, fmt.Appendf(nil, `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: %s}
leaderElection: {leaderElect: true}
profiles:
- schedulerName: default-scheduler
- schedulerName: even
  plugins:
    score:
      enabled: [{name: NodeResourcesBalancedAllocation, weight: 50}]
`, kubeconfig), 0o600))

	must(t, c.CreateNodes(ctx, object.Node("uneven", object.CPU("4"), object.Memory("4Gi")), object.Node("empty", object.CPU("4"), object.Memory("4Gi"))))
	must(t, c.CreatePods(ctx,
		object.Pod("cpu", object.CPU("2"), object.OnNode("uneven")),
		object.Pod("both", object.CPU("400m"), object.Memory("400Mi"), object.OnNode("empty"))))
	startBinary(t, c, "--config="+file, "--kubeconfig=/nonexistent", "--leader-elect=false")

	// The pod evens the one node out, and makes the other one uneven, which is emptier.
	for _, want := range []struct{ profile, node string }{{"even", "uneven"}, {"default-scheduler", "empty"}} {
		must(t, c.CreatePods(ctx, object.Pod("p-"+want.profile, object.CPU("100m"), object.Memory("1Gi"), object.SchedulerName(want.profile))))
		node, err := c.WaitBound(ctx, "default", "p-"+want.profile)
		must(t, err)
		if node != want.node {
			t.Errorf("profile %s chooses %s, want %s", want.profile, node, want.node)
		}
	}
	_, err = c.Client(controlplane.Admin).CoordinationV1().Leases("kube-system").Get(ctx, "kube-scheduler", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the lease of kube-scheduler: %v, want none", err)
	}
}
