package queue

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// stuck returns a queue with n pods of some kinds that were rejected by Even.
func stuck(n, kinds int) *Queue {
	q := New(Config{
		Less: byPriority, Gate: testGate, Hinters: map[string][]Hinter{"s": testHinters},
		InitialBackoff: time.Second, MaxBackoff: 10 * time.Second, Timeout: 5 * time.Minute, PopFromBackoff: true,
	})
	for i := range n {
		p := podOfClass(fmt.Sprint(i), fmt.Sprint("1-", i%kinds))
		q.Add(at(0), p)
		q.Pop(at(0))
		q.Requeue(at(0), p.UID, []string{"Even"}, nil)
	}
	return q
}

func podOfClass(uid, class string) *podspec.Pod {
	api := &corev1.Pod{}
	api.Labels = map[string]string{"class": class}
	return &podspec.Pod{Ref: podspec.Ref{Name: uid, UID: types.UID(uid)}, API: api, Scheduler: "s"}
}

// An event that helps none of 10,000 stuck pods of 20 kinds costs 20 questions.
func BenchmarkWakeNobody(b *testing.B) {
	q := stuck(10_000, 20)
	ev := Event{ClusterEvent: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}, After: 2}
	b.ReportAllocs()
	for b.Loop() {
		q.Wake(at(1), ev)
	}
	if got := q.Len(Unschedulable); got != 10_000 {
		b.Fatalf("%d pods wait, want all", got)
	}
}

// An event that no plugin asked for costs a look-up.
func BenchmarkWakeUninteresting(b *testing.B) {
	q := stuck(10_000, 20)
	ev := Event{ClusterEvent: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.UpdateNodeTaint}}
	b.ReportAllocs()
	for b.Loop() {
		q.Wake(at(1), ev)
	}
}

// Add, Pop, fail and come back.
func BenchmarkRound(b *testing.B) {
	q := stuck(1000, 20)
	r := rand.New(rand.NewPCG(1, 1))
	p := testPod(r, "p")
	p.API.Labels["gate"] = "open"
	b.ReportAllocs()
	for b.Loop() {
		q.Add(at(0), p)
		q.Pop(at(0))
		q.Requeue(at(0), p.UID, []string{"Even"}, nil)
		q.Delete(p.UID)
	}
}
