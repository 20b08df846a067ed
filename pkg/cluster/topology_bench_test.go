package cluster_test

import (
	"fmt"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

const (
	benchNodes = 5000
	benchPods  = 50_000
	benchKinds = 500
)

// metropolis is a large cluster whose pods are of some hundred kinds.
func metropolis() (*cluster.Cluster, *podspec.Compiler) {
	specs := podspec.NewCompiler()
	c := cluster.New(specs.Resources)
	for i := range benchNodes {
		c.SetNode(object.Node("n"+strconv.Itoa(i), object.Zone("z"+strconv.Itoa(i%3)), object.Label(corev1.LabelHostname, "n"+strconv.Itoa(i))))
	}
	for kind := range benchKinds {
		spec := specs.Compile(object.Pod("p", kindLabel(kind), object.Label("team", "a")))
		for i := kind; i < benchPods; i += benchKinds {
			p := *spec // the same pod under another name
			p.UID, p.NodeName = types.UID(strconv.Itoa(i)), "n"+strconv.Itoa(i%benchNodes)
			c.SetPod(&p)
		}
	}
	return c, specs
}

func kindLabel(kind int) object.Both { return object.Label("app", "app-"+strconv.Itoa(kind)) }

// spreading is a pod with a hard constraint over zones and one over hosts.
func spreading(specs *podspec.Compiler, name string, selector *metav1.LabelSelector, options ...object.PodOption) *podspec.Pod {
	p := object.Pod(name, options...)
	p.UID = types.UID(name)
	for _, key := range []string{corev1.LabelTopologyZone, corev1.LabelHostname} {
		p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
			MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: selector,
		})
	}
	return specs.Compile(p)
}

// count asks for the counters of a pod's constraints and looks at them.
func count(v *cluster.View, p *podspec.Pod) {
	everywhere := func(*podspec.Where) func(*corev1.Node) bool { return func(*corev1.Node) bool { return true } }
	for i := range p.Spread.Hard {
		c := &p.Spread.Hard[i]
		v.Domains(v.Tally(&c.Pods), c.TopologyKey, v.Area(&c.Where, everywhere)).Sums()
	}
}

// BenchmarkPodOnRow measures pods that come to rows and go, beside 100 selectors of which
// some count them. The pods are of one kind or of each in turn, and after each pod so many
// of the selectors are asked for, as decisions do.
func BenchmarkPodOnRow(b *testing.B) {
	const selectors = 100
	app := func(kind int) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "app-" + strconv.Itoa(kind)}}
	}
	but := func(s *metav1.LabelSelector, i int) *metav1.LabelSelector { // the same for all pods here, and another selector
		s.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "not-" + strconv.Itoa(i), Operator: metav1.LabelSelectorOpDoesNotExist}}
		return s
	}
	all := &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	for _, of := range []struct {
		name     string
		selector func(i int) *metav1.LabelSelector
		kinds    int
	}{
		{"counted-by-0", func(i int) *metav1.LabelSelector { return app(1 + i) }, 1},
		{"counted-by-1", app, 1},
		{"counted-by-1/kinds", app, selectors},
		{"counted-by-all", func(i int) *metav1.LabelSelector { return but(app(0), i) }, 1},
		{"counted-by-all/kinds", func(i int) *metav1.LabelSelector { return but(all.DeepCopy(), i) }, benchKinds},
	} {
		for _, asks := range []int{0, 2} {
			b.Run(fmt.Sprintf("%s/asks=%d", of.name, asks), func(b *testing.B) {
				c, specs := metropolis()
				var asking, coming []*podspec.Pod
				for i := range selectors {
					asking = append(asking, spreading(specs, "asks", of.selector(i)))
					count(&c.View, asking[i])
				}
				for kind := range of.kinds {
					p := object.Pod("new", kindLabel(kind), object.Label("team", "a"))
					p.UID = types.UID("new-" + strconv.Itoa(kind))
					coming = append(coming, specs.Compile(p))
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					p := coming[i%len(coming)]
					c.Assume(p, int32(i%benchNodes))
					c.Remove(p.UID)
					for j := range asks {
						count(&c.View, asking[(asks*i+j)%selectors])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/move")
			})
		}
	}
}

// BenchmarkNewSelector measures the first question for a selector that nobody asked for
// before, as each rollout brings some.
func BenchmarkNewSelector(b *testing.B) {
	for _, of := range []struct {
		name     string
		selector metav1.LabelSelector
	}{
		{"one-kind", metav1.LabelSelector{MatchLabels: map[string]string{"app": "app-7"}}},
		{"all-kinds", metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}},
	} {
		b.Run(of.name, func(b *testing.B) {
			c, specs := metropolis()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				if i%64 == 63 {
					passTime(c)
				}
				selector := of.selector.DeepCopy()
				selector.MatchExpressions = []metav1.LabelSelectorRequirement{
					{Key: "not-" + strconv.Itoa(i), Operator: metav1.LabelSelectorOpDoesNotExist},
				}
				p := spreading(specs, "asks", selector)
				b.StartTimer()
				c.View.Domains(c.View.Tally(&p.Spread.Hard[0].Pods), corev1.LabelTopologyZone, nil)
			}
		})
	}
}

// passTime lets so many decisions pass that counters are dropped.
func passTime(c *cluster.Cluster) {
	for range 8192 {
		c.Turn()
	}
}
