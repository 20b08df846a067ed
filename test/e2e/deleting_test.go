package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Pods that are being deleted and whose finalizers keep them: one waits for a gate, one
// for room, one was never tried. Whatever comes that would help them, they are not placed,
// and nothing is written about them.
func TestPodThatIsBeingDeletedIsNeverPlaced(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	held := object.PodFunc(func(p *corev1.Pod) { p.Finalizers = []string{"test.example/held"} })
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"))))
	must(t, c.CreatePods(ctx, object.Pod("untried", held, object.CPU("100m")), object.Pod("gated", held, object.Gate("t/a"))))
	must(t, client.CoreV1().Pods("default").Delete(ctx, "untried", metav1.DeleteOptions{}))
	startBinary(t, c)
	must(t, c.CreatePods(ctx, object.Pod("unfit", held, object.CPU("2")), object.Pod("witness", object.CPU("2"))))
	var unfit string
	for _, name := range []string{"witness", "unfit"} {
		cond, err := c.WaitReason(ctx, "default", name, corev1.PodReasonUnschedulable)
		must(t, err)
		unfit = cond.Message
	}
	must(t, c.WaitFor(ctx, "the event of unfit", func(ctx context.Context) error {
		if n := attemptsOf(t, ctx, client, "unfit"); n != 1 {
			return fmt.Errorf("it tells of %d attempts", n)
		}
		return nil
	}))

	for _, name := range []string{"gated", "unfit"} {
		must(t, client.CoreV1().Pods("default").Delete(ctx, name, metav1.DeleteOptions{}))
	}
	must(t, patchPod("gated", `{"spec":{"schedulingGates":null}}`)(ctx, client))
	doomed := []string{"untried", "gated", "unfit"}
	versions := versionsOf(t, ctx, client, doomed)
	must(t, c.CreatePods(ctx, object.Pod("after", object.CPU("100m")))) // is seen after they were deleted
	_, err := c.WaitBound(ctx, "default", "after")
	must(t, err)
	must(t, setAllocatable(ctx, client, "n1", "8")) // room for all of them
	_, err = c.WaitBound(ctx, "default", "witness")
	must(t, err)
	must(t, c.CreatePods(ctx, object.Pod("last", object.CPU("100m")))) // whoever was woken had his turn before
	_, err = c.WaitBound(ctx, "default", "last")
	must(t, err)

	if n := bindsOf(t, c, doomed); n > 0 {
		t.Errorf("%d binds were sent for pods that are being deleted", n)
	}
	for _, e := range eventsOf(t, ctx, client, doomed...) {
		if skipped := "skip schedule deleting pod: default/" + e.Regarding.Name; e.Note != skipped && (e.Note != unfit || e.Series != nil) {
			t.Errorf("%s was told %q, series %v, want %q, as kube-scheduler says", e.Regarding.Name, e.Note, e.Series, skipped)
		}
	}
	if now := versionsOf(t, ctx, client, doomed); now != versions {
		t.Errorf("versions of the pods were %s, and are %s", versions, now)
	}
}

// versionsOf returns the versions of pods that must not have a node.
func versionsOf(t *testing.T, ctx context.Context, client kubernetes.Interface, pods []string) string {
	t.Helper()
	var versions []string
	for _, name := range pods {
		p, err := client.CoreV1().Pods("default").Get(ctx, name, metav1.GetOptions{})
		must(t, err)
		if p.Spec.NodeName != "" || p.DeletionTimestamp == nil {
			t.Errorf("%s is on node %q, deleted at %v", name, p.Spec.NodeName, p.DeletionTimestamp)
		}
		versions = append(versions, name+" "+p.ResourceVersion)
	}
	return strings.Join(versions, ", ")
}

// bindsOf counts the binds that the scheduler has sent for some pods.
func bindsOf(t *testing.T, c *controlplane.ControlPlane, pods []string) int {
	t.Helper()
	binds, err := c.Audit(func(e *controlplane.AuditEvent) bool {
		return e.ObjectRef.Subresource == "binding" && slices.Contains(pods, e.ObjectRef.Name)
	})
	must(t, err)
	return len(binds)
}
