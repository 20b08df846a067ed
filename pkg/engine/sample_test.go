package engine

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// A search that samples must still find the last free slot, fill nodes evenly, and go
// on where it stopped.
func TestSamplingFindsTheLastFreeSlot(t *testing.T) {
	for _, sample := range []runtime.Sample{runtime.AllNodes, runtime.Adaptive, 1, 100} {
		e := newEngine(t)
		for _, chain := range e.chains {
			chain.SampleFrom(&e.window, sample)
		}
		now := clock.Now{Wall: time.Unix(1, 0)}
		for i, zone := range zones(250, 40, 10) {
			n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", i), Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
			n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10"), corev1.ResourcePods: resource.MustParse("110")}
			e.Step(now, NodeSeen{Node: n})
		}
		for i := range 3001 {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", UID: types.UID(fmt.Sprint(i))}}
			p.Spec.SchedulerName = corev1.DefaultSchedulerName
			p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}}
			e.Step(now, PodSeen{Pod: p})
			d := e.Step(now, Decide{}).Decisions[0]
			if i == 3000 {
				if want := "0/300 nodes are available: 300 Insufficient cpu."; d.Message != want || d.Looked != 300 {
					t.Errorf("sample %d: the last pod: %q after %d nodes, want %q after 300", sample, d.Message, d.Looked, want)
				}
				break
			}
			if d.Verdict != Placed {
				t.Fatalf("sample %d: pod %d of 3000: %s", sample, i, d.Message)
			}
			if i < 300 && sample == 1 && (d.Looked != 100 || d.Feasible != 100) {
				t.Fatalf("sample 1: pod %d looked at %d nodes and found %d, want 100", i, d.Looked, d.Feasible)
			}
		}
		for row, n := range e.View().PodCount() {
			if n != 10 {
				t.Errorf("sample %d: node %d holds %d pods, want 10", sample, row, n)
			}
		}
	}
}

func zones(sizes ...int) (of []string) {
	for i, n := range sizes {
		for range n {
			of = append(of, fmt.Sprint("z", i))
		}
	}
	return of
}
