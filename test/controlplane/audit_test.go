package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestAuditShowsWhatASchedulerSent(t *testing.T) {
	c := shared(t)
	name := unused("audited")
	if err := c.CreatePods(t.Context(), object.Pod(name)); err != nil {
		t.Fatal(err)
	}
	binding := &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Target:     corev1.ObjectReference{Kind: "Node", Name: "somewhere"},
	}
	if err := c.Client(rival).CoreV1().Pods("default").Bind(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	created := waitAudited(t, c, name, "")
	if created.User.Username != Admin || created.ResponseStatus.Code != 201 || created.RequestObject != nil {
		t.Errorf("got creation %+v, want the admin's, with code 201 and no body", created)
	}
	bound := waitAudited(t, c, name, "binding")
	var got corev1.Binding
	if err := json.Unmarshal(bound.RequestObject, &got); err != nil {
		t.Fatal(err)
	}
	if bound.User.Username != rival || bound.ResponseStatus.Code != 201 || got.Target.Name != "somewhere" {
		t.Errorf("got binding %+v, want the rival's to somewhere", bound)
	}
}

// waitAudited waits for the line of a pod's creation, or of the creation of its subresource.
func waitAudited(t *testing.T, c *ControlPlane, name, subresource string) (found AuditEvent) {
	t.Helper()
	err := c.WaitFor(t.Context(), "an audit event", func(context.Context) error {
		events, err := c.Audit(func(event *AuditEvent) bool {
			want := AuditObject{Resource: "pods", Subresource: subresource, Namespace: "default", Name: name}
			want.UID = event.ObjectRef.UID
			return event.Verb == "create" && event.ObjectRef == want
		})
		if err == nil && len(events) != 1 {
			err = fmt.Errorf("%d events for pod %s, subresource %q", len(events), name, subresource)
		}
		if err == nil {
			found = events[0]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAuditLogIsReadUpToItsLastWholeLine(t *testing.T) {
	f := func(log string, want ...string) {
		t.Helper()
		events, err := ReadAudit(strings.NewReader(log), nil)
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, event := range events {
			got = append(got, event.Verb)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got verbs %q, want %q", got, want)
		}
	}
	f("")
	f(`{"verb":"create"}`)
	f(`{"verb":"create"}`+"\n"+`{"verb":"patch"}`+"\n", "create", "patch")
	f(`{"verb":"create"}`+"\n"+`{"verb":"pat`, "create")

	_, err := ReadAudit(strings.NewReader("{}\nnonsense\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got error %v, want line 2 named", err)
	}
}
