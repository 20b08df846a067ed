package engine

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/queue"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

const (
	stuckNodes = 1000
	stuckPods  = 10_000
	stuckKinds = 20
)

// town is an engine with pods that never fit, and things that go on beside them.
type town struct {
	*Engine
	b       *testing.B
	now     clock.Now
	version int
	pods    int
}

// newTown has 1,000 nodes and so many pods that no node takes: half of them ask for too
// much, in ten sizes, the others select what no node has, in ten ways.
func newTown(b *testing.B, stuck int) *town {
	tn := &town{Engine: newEngine(b), b: b, now: clock.Now{Wall: time.Unix(1, 0)}}
	for i := range stuckNodes {
		tn.Step(tn.now, NodeSeen{Node: tn.node(i)})
	}
	for i := range stuck {
		kind := i % stuckKinds
		option := object.PodOption(object.CPU(strconv.Itoa(100 + kind)))
		if kind%2 == 0 {
			option = object.NodeSelector("zone", strconv.Itoa(kind))
		}
		tn.Step(tn.now, PodSeen{Pod: tn.pod(option)})
		tn.Step(tn.now, Decide{})
	}
	return tn
}

func (tn *town) next() string { tn.version++; return strconv.Itoa(tn.version) }

// node returns the next version of a node. Its memory is the version, so that it offers
// more each time.
func (tn *town) node(i int) *corev1.Node {
	n := object.Node(fmt.Sprint("n", i), object.CPU("64"), object.Pods("100000"))
	n.ResourceVersion = tn.next()
	n.Labels["version"] = n.ResourceVersion
	n.Status.Allocatable[corev1.ResourceMemory] = *resource.NewQuantity(1<<40+int64(tn.version), resource.BinarySI)
	return n
}

func (tn *town) pod(options ...object.PodOption) *corev1.Pod {
	tn.pods++
	p := object.Pod("p", options...)
	p.UID, p.ResourceVersion = types.UID(strconv.Itoa(tn.pods)), tn.next()
	p.Spec.SchedulerName = corev1.DefaultSchedulerName
	return p
}

// event tells of a node with other labels and more memory: two changes that many wait
// for, and that help none of these.
func (tn *town) event(i int) { tn.Step(tn.now, NodeSeen{Node: tn.node(i % stuckNodes)}) }

// bind places a pod: it comes, is decided on and bound, and is seen on its node.
func (tn *town) bind() {
	p := tn.pod(object.CPU("1m"))
	tn.Step(tn.now, PodSeen{Pod: p})
	for _, effect := range tn.Step(tn.now, Decide{}).Effects {
		bind := effect.(Bind)
		on := p.DeepCopy()
		on.Spec.NodeName, on.ResourceVersion = bind.Node, tn.next()
		tn.Step(tn.now, BindDone{Pod: bind.Pod, Attempt: bind.Attempt, Result: Bound})
		tn.Step(tn.now, PodSeen{Pod: on})
	}
}

func (tn *town) check(stuck int) {
	if got := tn.Queue().Len(queue.Unschedulable); got != stuck {
		tn.b.Fatalf("%d pods wait, want all", got)
	}
	if got := tn.Stats().Assumed; got != 0 {
		tn.b.Fatalf("%d pods are assumed, want all bound", got)
	}
}

// What goes on beside 10,000 pods that never fit costs what it costs without them, and a
// question for each of 20 kinds. A second of it, 100 binds and 100 events, is a small part
// of a second's work.
func BenchmarkBesideStuckPods(b *testing.B) {
	run := func(name, unit string, scale float64, stuck int, do func(tn *town, i int)) {
		b.Run(name, func(b *testing.B) {
			tn := newTown(b, stuck)
			for i := 0; b.Loop(); i++ {
				do(tn, i)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/scale, unit)
			tn.check(stuck)
		})
	}
	run("event", "us/event", 1e3, stuckPods, func(tn *town, i int) { tn.event(i) })
	run("bind", "us/bind", 1e3, stuckPods, func(tn *town, _ int) { tn.bind() })
	run("bind-alone", "us/bind", 1e3, 0, func(tn *town, _ int) { tn.bind() })
	run("second", "ms/second", 1e6, stuckPods, func(tn *town, i int) {
		for k := range 100 {
			tn.event(100*i + k)
			tn.bind()
		}
	})
}
