package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// relation is a rule about other pods, and where those stand.
type relation struct {
	name  string
	pod   string // what the pods to place are
	bound string // what the pods on nodes are
	alone int    // so many of those have rule
	rule  string
}

// relations are such that there is room in every one, whatever the number of bound pods.
var relations = []relation{
	{name: "plain", pod: "app=x", bound: "app=x"},
	{name: "spread-zone-host", pod: "app=x spread(100 zone app=x) spread(2 host app=x)", bound: "app=x"},
	{name: "near-zone", pod: "app=x near(zone app=x)", bound: "app=x"},
	{name: "far-host", pod: "app=y far(host app=y)", bound: "app=x"},
	{name: "plain-beside-2000-who-want-to-be-alone", pod: "app=x", bound: "app=x", alone: 2000, rule: "far(host app=x)"},
}

// newQuarter makes a cluster of equal nodes with bound pods spread evenly over them, of
// ten kinds, and pods to place.
func newQuarter(tb testing.TB, r relation, nodes, bound int) *house {
	specs := podspec.NewCompiler()
	h := &house{cluster: cluster.New(specs.Resources), draws: rand.New(rand.NewPCG(1, 2))}
	for i := range nodes {
		n := object.Node("n"+strconv.Itoa(i), object.CPU("64"), object.Memory("256Gi"), object.Zone("z"+strconv.Itoa(i%3)))
		h.cluster.SetNode(n)
	}
	put := func(spec *podspec.Pod, i int) {
		p := *spec // the same under another name
		p.UID, p.NodeName = types.UID("b"+strconv.Itoa(i)), "n"+strconv.Itoa(i%nodes)
		h.cluster.SetPod(&p)
	}
	for kind := range 10 {
		spec := specs.Compile(object.PodOf(r.bound+" kind="+strconv.Itoa(kind), object.CPU("100m"), object.Memory("128Mi")))
		for i := kind; i < bound; i += 10 {
			put(spec, i)
		}
	}
	alone := specs.Compile(object.PodOf("app=alone "+r.rule, object.CPU("100m")))
	for i := range r.alone {
		put(alone, bound+i)
	}
	for i := range batch {
		p := object.PodOf(r.pod, object.CPU(fmt.Sprintf("%dm", 100+i)), object.Memory("128Mi"))
		p.Name, p.UID = "p"+strconv.Itoa(i), types.UID("p"+strconv.Itoa(i))
		h.pods = append(h.pods, specs.Compile(p))
	}
	var err error
	if h.chain, err = runtime.New(runtime.AtAllPoints("default-scheduler", defaults(tb)), h.cluster, &queue.Nominator{}); err != nil {
		tb.Fatal(err)
	}
	return h
}

// BenchmarkRelatedDecision is BenchmarkDecision with rules between pods. What it takes is
// not to grow with the number of bound pods.
func BenchmarkRelatedDecision(b *testing.B) {
	const nodes = 5000
	for _, r := range relations {
		for _, bound := range []int{1000, 50_000} {
			b.Run(fmt.Sprintf("%s/%d-bound", r.name, bound), func(b *testing.B) {
				h := newQuarter(b, r, nodes, bound)
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
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
			})
		}
	}
}

func TestRelatedDecisionAllocatesNothing(t *testing.T) {
	preferring := relation{name: "preferring", pod: "app=x likes(5 zone app=x) dislikes(3 host app=x) soft(1 zone app=x) soft(1 host app=x)", bound: "app=x likes(1 zone app=x)"}
	narrowing := relation{name: "policies", pod: "app=x spread(9 host app=x taints=Honor) spread(9 zone app=x)", bound: "app=x"}
	for _, r := range append([]relation{preferring, narrowing}, relations...) {
		r.alone = min(r.alone, 20)
		h, i := newQuarter(t, r, 300, 900), 0
		h.decide(t, h.pods[0]) // the counters are made
		if got := testing.AllocsPerRun(100, func() {
			h.decide(t, h.pods[i%batch])
			i++
		}); got != 0 {
			t.Errorf("%s: a decision allocates %v times, want 0", r.name, got)
		}
	}
}
