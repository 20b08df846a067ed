package queue

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
)

// A pod that was away while more events came than are kept is not left to wait for one
// that it may have missed. Who was away for fewer is asked about each.
func TestPodThatMissedTooManyEventsDoesNotWait(t *testing.T) {
	q := New(Config{
		Less: byPriority, Gate: testGate, Hinters: map[string][]Hinter{"s": testHinters},
		InitialBackoff: time.Second, MaxBackoff: time.Second, Timeout: time.Hour,
	})
	odd := Event{ClusterEvent: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}, After: 1} // helps no even class
	pop := func(uid string) {
		q.Add(at(0), podOfClass(uid, "0"))
		q.Pop(at(0))
	}
	events := func() int { _, n := q.Missable(); return n["NodeAdd"] }
	pop("early")
	for range mostEvents {
		q.Wake(at(0), odd)
	}
	if got := events(); got != mostEvents {
		t.Errorf("%d events are kept, want %d", got, mostEvents)
	}
	q.Wake(at(0), odd)
	pop("late")
	q.Wake(at(0), odd)
	if got := events(); got > mostEvents {
		t.Errorf("%d events are kept, want %d at the most", got, mostEvents)
	}
	for uid, want := range map[string]Place{"early": Backoff, "late": Unschedulable} {
		q.Requeue(at(0), types.UID(uid), []string{"Even"}, nil)
		if got := q.Get(types.UID(uid)).Place; got != want {
			t.Errorf("%s is %s, want %s", uid, got, want)
		}
	}
	if pods, n := q.Missable(); pods != 0 || len(n) != 0 {
		t.Errorf("%d pods are in flight and events %v kept, want none", pods, n)
	}
}
