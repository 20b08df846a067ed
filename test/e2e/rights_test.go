package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// The role lacks a resource (case B87). The scheduler lives and is not ready, as
// kube-scheduler, whatever the resource is for. It names the resource once, however often
// it tries, and goes to work when the right arrives.
func TestMissingRightIsNamedOnceAndWaitedFor(t *testing.T) {
	t.Parallel()
	const resource = "statefulsets"
	c := controlplane.Start(t, controlplane.Options{Audit: true})
	ctx := within(t, 2*time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"))))
	grant := withdraw(t, ctx, c, resource)
	port := startBinary(t, c).port
	must(t, c.CreatePods(ctx, object.Pod("a", object.CPU("1"))))
	must(t, c.WaitFor(ctx, "three tries", func(context.Context) error {
		tries, err := c.Audit(func(e *controlplane.AuditEvent) bool {
			return e.Verb == "list" && e.ObjectRef.Resource == resource && e.ResponseStatus.Code == http.StatusForbidden
		})
		if err == nil && len(tries) < 3 {
			err = fmt.Errorf("%d tries", len(tries))
		}
		return err
	}))
	for path, want := range map[string]int{"/livez": 200, "/healthz": 200, "/readyz": 500} {
		if got, body, err := page(port, path); err != nil || got != want {
			t.Errorf("%s: %d %s (%v), want %d", path, got, body, err, want)
		}
	}
	pod, err := c.Client(controlplane.Admin).CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
	must(t, err)
	if pod.Spec.NodeName != "" || pod.Status.Phase != corev1.PodPending {
		t.Errorf("a is %s on %q, want it pending", pod.Status.Phase, pod.Spec.NodeName)
	}
	granted := time.Now()
	grant()
	_, err = c.WaitBound(ctx, "default", "a")
	must(t, err)
	if took := time.Since(granted); took > 35*time.Second {
		t.Errorf("a was bound %v after the right was granted, want 35s at the most", took)
	}
	must(t, ready(port))
	text, err := os.ReadFile(filepath.Join(t.ArtifactDir(), "kube-scheduler.log"))
	must(t, err)
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return !strings.Contains(line, "forbidden") })
	if len(lines) != 1 || !strings.Contains(lines[0], `cannot list resource \"statefulsets\" in API group \"apps\"`) {
		t.Errorf("the log names the missing right in %d lines, want one:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

// withdraw takes a resource out of the scheduler's role, until grant is called.
func withdraw(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, resource string) (grant func()) {
	t.Helper()
	roles := c.Client(controlplane.Admin).RbacV1().ClusterRoles()
	role, err := roles.Get(ctx, controlplane.Scheduler, metav1.GetOptions{})
	must(t, err)
	before := role.Rules
	write := func(rules []rbacv1.PolicyRule) {
		t.Helper()
		must(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
			role, err := roles.Get(ctx, controlplane.Scheduler, metav1.GetOptions{})
			if err != nil {
				return err
			}
			role.Rules = rules
			_, err = roles.Update(ctx, role, metav1.UpdateOptions{})
			return err
		}))
	}
	var rules []rbacv1.PolicyRule
	for _, rule := range role.DeepCopy().Rules {
		rule.Resources = slices.DeleteFunc(rule.Resources, func(r string) bool { return r == resource })
		if len(rule.Resources) > 0 {
			rules = append(rules, rule)
		}
	}
	write(rules)
	must(t, c.WaitFor(ctx, "the right to be gone", func(ctx context.Context) error {
		if _, err := c.Client(controlplane.Scheduler).AppsV1().StatefulSets("").List(ctx, metav1.ListOptions{Limit: 1}); err != nil {
			return nil
		}
		return fmt.Errorf("the scheduler may still list %s", resource)
	}))
	return func() { write(before) }
}
