package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

var (
	podA  = podspec.Ref{Namespace: "ns", Name: "a", UID: "ua"}
	pods  = schema.GroupResource{Resource: "pods"}
	bindA = engine.Bind{Pod: podA, Attempt: 3, Node: "n1"}
)

// answering returns a writer whose binds get err, and whose pod a looks as given.
func answering(err error, node string, uid string) *Writer {
	client := fake.NewClientset()
	client.PrependReactor("create", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) { return true, nil, err })
	client.PrependReactor("get", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
		if uid == "" {
			return true, nil, apierrors.NewNotFound(pods, "a")
		}
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", UID: podA.UID}}
		p.UID, p.Spec.NodeName = podspec.Ref{UID: "x"}.UID, node
		if uid == "ua" {
			p.UID = podA.UID
		}
		return true, p, nil
	})
	return NewWriter(client, nil)
}

func TestBindTellsWhatIsKnownForSure(t *testing.T) {
	conflict := apierrors.NewConflict(pods, "a", errors.New(`pod a is already assigned to node "n2"`))
	f := func(err error, node, uid string, want engine.BindResult, wantNode string) {
		t.Helper()
		got := answering(err, node, uid).bind(context.Background(), bindA)
		if got.Result != want || got.Node != wantNode || got.Pod != podA || got.Attempt != 3 {
			t.Errorf("bind with answer %v and the pod on %q = %+v, want %s on %q", err, node, got, want, wantNode)
		}
		if strings.Contains(got.Message, "127.0.0.1") {
			t.Errorf("the message %q tells an address", got.Message)
		}
	}
	f(nil, "", "ua", engine.Bound, "")
	f(errors.New("Post https://127.0.0.1:1/api: connection reset by peer"), "", "ua", engine.Unknown, "")
	f(context.DeadlineExceeded, "", "ua", engine.Unknown, "")
	f(apierrors.NewInternalError(errors.New("etcd timed out")), "", "ua", engine.Unknown, "")
	f(apierrors.NewServerTimeout(pods, "create", 1), "", "ua", engine.Unknown, "")
	f(apierrors.NewTimeoutError("slow", 1), "", "ua", engine.Unknown, "")
	f(apierrors.NewTooManyRequests("later", 1), "", "ua", engine.Unknown, "")
	f(apierrors.NewServiceUnavailable("starting"), "", "ua", engine.Unknown, "")
	f(apierrors.NewForbidden(pods, "a", errors.New("policy")), "", "ua", engine.Refused, "")
	f(apierrors.NewNotFound(pods, "a"), "", "ua", engine.Gone, "")
	f(conflict, "n2", "ua", engine.Bound, "n2") // somebody else's
	f(conflict, "n1", "ua", engine.Bound, "n1") // our own, earlier
	f(conflict, "", "ua", engine.Refused, "")   // being deleted, or gated
	f(conflict, "n2", "other", engine.Gone, "") // made again under the name
	f(conflict, "", "", engine.Gone, "")        // deleted meanwhile
}

func TestBindWhoseNodeIsGoneIsLookedUp(t *testing.T) {
	f := func(node, uid string, want engine.BindResult) {
		t.Helper()
		look := bindA
		look.Look = true
		got := answering(errors.New("BUG: a bind was sent"), node, uid).bind(context.Background(), look)
		if got.Result != want || got.Node != node && want == engine.Bound || got.Message != "" {
			t.Errorf("looking for the pod, which is on %q: %+v, want %s", node, got, want)
		}
	}
	f("n1", "ua", engine.Bound)
	f("n2", "ua", engine.Bound)
	f("", "ua", engine.Refused)
	f("n1", "other", engine.Gone)
	f("", "", engine.Gone)

	client := fake.NewClientset()
	client.PrependReactor("get", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
		return true, nil, apierrors.NewForbidden(pods, "a", errors.New("no right"))
	})
	look := bindA
	look.Look = true
	got := NewWriter(client, nil).bind(context.Background(), look)
	if got.Result != engine.Unknown || !strings.Contains(got.Message, "no right") {
		t.Errorf("a look that is forbidden: %+v, want unknown, and why", got)
	}
}

func TestServerThatFailsIsQuoted(t *testing.T) {
	f := func(err error, want string) {
		t.Helper()
		if got := answering(err, "", "ua").bind(context.Background(), bindA); got.Result != engine.Unknown || got.Message != want {
			t.Errorf("bind with answer %v = %+v, want %q", err, got, want)
		}
	}
	f(apierrors.NewInternalError(errors.New("failed calling webhook")), "Internal error occurred: failed calling webhook")
	f(apierrors.NewTooManyRequests("later", 1), "later")
	f(errors.New("connection reset by peer"), "")
}

func TestStatusPatchIsForThisVeryPod(t *testing.T) {
	n := ""
	got := string(statusPatch(engine.PatchStatus{Pod: podA, Nominate: &n, Condition: &corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "no", ObservedGeneration: 2,
		LastTransitionTime: metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)),
	}}))
	const want = `{"metadata":{"uid":"ua"},"status":{"conditions":[{"type":"PodScheduled","observedGeneration":2,"status":"False",` +
		`"lastProbeTime":null,"lastTransitionTime":"2026-01-02T03:04:05Z","reason":"Unschedulable","message":"no"}],"nominatedNodeName":null}}`
	if got != want {
		t.Errorf("patch = %s\nwant    %s", got, want)
	}
}

func TestStatusPatchIsTriedAgainOnlyWhereThatHelps(t *testing.T) {
	f := func(answer error, wantTries int, wantFailed bool) {
		t.Helper()
		tries := 0
		client := fake.NewClientset()
		client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
			if tries++; tries < 3 {
				return true, nil, answer
			}
			return true, &corev1.Pod{}, nil
		})
		done := NewWriter(client, nil).patch(context.Background(), engine.PatchStatus{Pod: podA, Condition: &corev1.PodCondition{}})
		if tries != wantTries || done.Failed != wantFailed {
			t.Errorf("a patch answered by %v was tried %d times, failed=%v; want %d, %v", answer, tries, done.Failed, wantTries, wantFailed)
		}
	}
	f(nil, 1, false)
	f(apierrors.NewInternalError(errors.New("x")), 3, false)
	f(apierrors.NewServiceUnavailable("x"), 3, false)
	f(apierrors.NewNotFound(pods, "a"), 1, true)
	f(apierrors.NewConflict(pods, "a", errors.New("uid")), 1, true)
}

func TestRepeatedEventBecomesASeries(t *testing.T) {
	client := fake.NewClientset()
	w := NewWriter(client, nil)
	s := newSeries()
	failed := engine.Event{Pod: podA, Profile: "default-scheduler", Type: "Warning", Reason: "FailedScheduling", Action: "Scheduling", Note: "90% full"}
	for version := range 5 {
		failed.ResourceVersion = fmt.Sprint(version)
		w.record(context.Background(), s, failed)
	}
	other := failed
	other.Note = "something else"
	w.record(context.Background(), s, other)

	list, err := client.EventsV1().Events("ns").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 2 {
		t.Fatalf("%d events were written, want 2", len(list.Items))
	}
	verbs := []string{}
	for _, a := range client.Actions() {
		verbs = append(verbs, a.GetVerb())
	}
	if diff := cmp.Diff([]string{"create", "patch", "create", "list"}, verbs); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	for i := range list.Items {
		e := &list.Items[i]
		if e.Note == "90% full" && (e.Series == nil || e.Series.Count != 2 || !strings.HasPrefix(e.ReportingInstance, "default-scheduler-")) {
			body, _ := json.Marshal(e)
			t.Errorf("event = %s, want a series of 2 from the profile", body)
		}
	}
}

func TestEventNameIsAName(t *testing.T) {
	f := func(pod, want string) {
		t.Helper()
		if got := eventName(pod, 255); got != want {
			t.Errorf("eventName(%q) = %q, want %q", pod, got, want)
		}
	}
	f("web-1", "web-1.ff")
	f(strings.Repeat("a", 253), strings.Repeat("a", 250)+".ff")
	f(strings.Repeat("a", 249)+".bcd", strings.Repeat("a", 249)+".ff") // no dot before the dot
}

func TestFullEventLaneDropsAndCounts(t *testing.T) {
	w := NewWriter(fake.NewClientset(), nil)
	for range waitingEvents + 5 {
		w.Do(engine.Event{Pod: podA})
	}
	if got := w.dropped.n; got != 5 {
		t.Errorf("%d events dropped, want 5", got)
	}
}

func TestRunDoesWhatWasTakenAndLeavesNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t)
	got := make(chan engine.Input, 10)
	w := NewWriter(fake.NewClientset(), func(in engine.Input) { got <- in })
	w.Do(bindA)
	w.Do(engine.PatchStatus{Pod: podA, Condition: &corev1.PodCondition{}})
	w.Close()
	w.Do(bindA) // too late; not taken
	w.Run(context.Background())
	if len(got) != 2 {
		t.Errorf("%d answers, want 2", len(got))
	}
}

// Binds that wait for a worker are taken back; those under way are not.
func TestWithdrawAnswersWhatNoCallWasMadeFor(t *testing.T) {
	got := make(chan engine.Input, 10)
	w := NewWriter(fake.NewClientset(), func(in engine.Input) { got <- in })
	w.Do(bindA)
	w.Withdraw()
	w.Withdraw()
	w.Close()
	w.Run(context.Background())
	if len(got) != 1 || <-got != (engine.BindDone{Pod: podA, Attempt: 3, Result: engine.Withdrawn}) {
		t.Error("want one answer: withdrawn")
	}
}
