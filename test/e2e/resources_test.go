package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Two share a lease, and one leads (case B81). It alone tells what pods ask for, of pods
// that have not finished, init containers and overhead included; metrics of its own tell
// either. When the leader ends, the roles swap.
func TestOnlyTheLeaderTellsWhatPodsAskFor(t *testing.T) {
	t.Parallel()
	h := newHandover(t, controlplane.Options{}, "berth-1", "berth-2")
	ctx := within(t, time.Minute)
	readMetrics(t, ctx, h)
	must(t, h.c.CreateNodes(ctx, object.Node("n1", object.CPU("8"))))
	start := func(user string) {
		t.Helper()
		kubeconfig, err := h.c.Kubeconfig(user)
		must(t, err)
		h.start(ctx, ours, user, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig)
	}
	start("berth-1")
	must(t, h.c.CreatePods(ctx, object.Pod("plain", object.CPU("1"), object.PodFunc(limitedTo("2"))),
		object.Pod("initial", object.CPU("1"), object.PodFunc(prepared("3"))), object.Pod("finished", object.CPU("1"))))
	heavy := object.Pod("heavy", object.CPU("1"))
	must(t, withOverhead(ctx, h.client, heavy, "500m"))
	must(t, h.c.WaitFor(ctx, "the class to be known", func(ctx context.Context) error { return h.c.CreatePods(ctx, heavy) }))
	must(t, h.c.WaitFor(ctx, "all pods bound", func(ctx context.Context) error { return allBound(ctx, h.client, 4) }))
	finish(t, ctx, h.client, "finished")
	start("berth-2")

	want := []string{
		`kube_pod_resource_limit{namespace="default",node="n1",pod="plain",priority="0",resource="cpu",scheduler="default-scheduler",unit="cores"} 2`,
		`kube_pod_resource_request{namespace="default",node="n1",pod="heavy",priority="0",resource="cpu",scheduler="default-scheduler",unit="cores"} 1.5`,
		`kube_pod_resource_request{namespace="default",node="n1",pod="initial",priority="0",resource="cpu",scheduler="default-scheduler",unit="cores"} 3`,
		`kube_pod_resource_request{namespace="default",node="n1",pod="plain",priority="0",resource="cpu",scheduler="default-scheduler",unit="cores"} 1`,
	}
	f := func(user string, want []string) {
		t.Helper()
		must(t, h.c.WaitFor(ctx, "the resources on the port of "+user, func(context.Context) error {
			text, err := h.page(user, "/metrics/resources")
			if got := series(text); err == nil && strings.Join(got, "\n") != strings.Join(want, "\n") {
				err = fmt.Errorf("they are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			return err
		}))
		if text, err := h.page(user, "/metrics"); err != nil || !strings.Contains(text, "\nscheduler_cache_size{") {
			t.Errorf("%s tells no metrics of its own: %v", user, err)
		}
	}
	must(t, h.c.WaitFor(ctx, "the standby to be ready", func(context.Context) error { return ready(h.running["berth-2"].port) }))
	f("berth-1", want)
	f("berth-2", nil)
	h.running["berth-1"].Signal(syscall.SIGTERM)
	if how := h.running["berth-1"].Wait(); !how.Success() {
		t.Errorf("the leader, told to end, ended with %v", how)
	}
	f("berth-2", want)
	start("berth-1")
	must(t, h.c.WaitFor(ctx, "the first to be ready again", func(context.Context) error { return ready(h.running["berth-1"].port) }))
	f("berth-1", nil)
	f("berth-2", want)
}

// readMetrics lets everybody read what pods ask for.
func readMetrics(t *testing.T, ctx context.Context, h *handover) {
	t.Helper()
	name := metav1.ObjectMeta{Name: "reads-metrics"}
	_, err := h.client.RbacV1().ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: name,
		Rules: []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics/resources"}, Verbs: []string{"get"}}}}, metav1.CreateOptions{})
	must(t, err)
	_, err = h.client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{ObjectMeta: name,
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "system:unauthenticated"}}}, metav1.CreateOptions{})
	must(t, err)
}

// page reads a page of a scheduler as anybody.
func (h *handover) page(user, path string) (string, error) {
	code, body, err := page(h.running[user].port, path)
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("%s says %d: %s", path, code, body)
	}
	return body, err
}

// series are the samples on a page of metrics.
func series(text string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "kube_pod_resource_") && strings.Contains(line, `resource="cpu"`) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

func limitedTo(cpu string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
}

// prepared adds an init container that asks for more than the pod does afterwards.
func prepared(cpu string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "x", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}}}
	}
}
