package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

const (
	podsPerNode = 10
	batch       = 512 // pods that are on the cluster before they are taken off again
)

// house is a cluster with a default chain and pods to place.
type house struct {
	cluster *cluster.Cluster
	chain   *runtime.Chain
	pods    []*podspec.Pod
	draws   *rand.Rand
}

// newHouse makes a cluster as they are: a few sizes of nodes, some taints, a few
// cordons, pods of all sizes. No two of the pods to place ask for the same.
func newHouse(tb testing.TB, nodes int) *house {
	specs := podspec.NewCompiler()
	h := &house{cluster: cluster.New(specs.Resources), draws: rand.New(rand.NewPCG(1, 2))}
	for i := range nodes {
		h.cluster.SetNode(benchNode(i))
	}
	for shape := range podsPerNode {
		bound := specs.Compile(object.Pod("bound", object.CPU(fmt.Sprintf("%dm", 200+137*shape)), object.Memory(fmt.Sprintf("%dMi", 100+211*shape))))
		for i := range nodes {
			p := *bound // the same shape under another name
			p.UID, p.NodeName = types.UID(strconv.Itoa(shape*nodes+i)), "n"+strconv.Itoa(i)
			h.cluster.SetPod(&p)
		}
	}
	for i := range batch {
		p := object.Pod("p"+strconv.Itoa(i), object.CPU(fmt.Sprintf("%dm", 100+i)), object.Memory(fmt.Sprintf("%dMi", 128+3*i)))
		p.UID = types.UID(p.Name)
		h.pods = append(h.pods, specs.Compile(p))
	}
	var err error
	if h.chain, err = runtime.New(runtime.AtAllPoints("default-scheduler", defaults(tb)), h.cluster, &queue.Nominator{}); err != nil {
		tb.Fatal(err)
	}
	return h
}

func benchNode(i int) *corev1.Node {
	size := 1 + i%4
	options := []object.NodeOption{
		object.CPU(strconv.Itoa(16 * size)), object.Memory(fmt.Sprintf("%dGi", 64*size)),
		object.Resource(corev1.ResourceEphemeralStorage, "100Gi"), object.Zone("z" + strconv.Itoa(i%3)),
	}
	switch {
	case i%50 == 0:
		options = append(options, object.Cordoned())
	case i%20 == 0:
		options = append(options, object.Taint("dedicated", "team-"+strconv.Itoa(i%3), corev1.TaintEffectNoSchedule))
	case i%7 == 0:
		options = append(options, object.Taint("spot", "", corev1.TaintEffectPreferNoSchedule))
	}
	return object.Node("n"+strconv.Itoa(i), options...)
}

// decide finds the best row for a pod.
func (h *house) decide(tb testing.TB, p *podspec.Pod) int32 {
	n, err := h.chain.Narrow(p)
	if err != nil || n == 0 {
		tb.Fatalf("%d rows take %s: %v", n, p.Ref, err)
	}
	choice, err := h.chain.Rank(h.draws.Uint64())
	if err != nil {
		tb.Fatal(err)
	}
	return choice.Row
}

func (h *house) forget() {
	for _, p := range h.pods {
		h.cluster.Remove(p.UID)
	}
}

// BenchmarkDecision measures from the pod at hand to its place: narrow, rank, assume.
func BenchmarkDecision(b *testing.B) { benchmarkDecision(b, nil) }

// BenchmarkMeasuredDecision is the same with a probe that only tells the time.
func BenchmarkMeasuredDecision(b *testing.B) { benchmarkDecision(b, &quiet{time.Now()}) }

func benchmarkDecision(b *testing.B, probe runtime.Probe) {
	for _, nodes := range []int{100, 1000, 5000} {
		b.Run(strconv.Itoa(nodes), func(b *testing.B) {
			h := newHouse(b, nodes)
			h.chain.Measure(probe)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%batch == 0 {
					b.StopTimer()
					h.forget()
					b.StartTimer()
				}
				p := h.pods[i%batch]
				h.cluster.Assume(p, h.decide(b, p))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// BenchmarkSteps measures the parts of a decision.
func BenchmarkSteps(b *testing.B) {
	const nodes = 5000
	h := newHouse(b, nodes)
	measure := func(name string, do func(p *podspec.Pod)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				do(h.pods[i%batch])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
		})
	}
	measure("narrow", func(p *podspec.Pod) {
		if _, err := h.chain.Narrow(p); err != nil {
			b.Fatal(err)
		}
	})
	measure("rank", func(*podspec.Pod) {
		if _, err := h.chain.Rank(h.draws.Uint64()); err != nil {
			b.Fatal(err)
		}
	})
	measure("assume+remove", func(p *podspec.Pod) {
		h.cluster.Assume(p, 7)
		h.cluster.Remove(p.UID)
	})
}

func TestDecisionAllocatesNothing(t *testing.T) {
	h := newHouse(t, 300)
	i := 0
	if got := testing.AllocsPerRun(100, func() {
		h.decide(t, h.pods[i%batch])
		i++
	}); got != 0 {
		t.Errorf("a decision allocates %v times, want 0", got)
	}
}
