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

// count makes the counters of a pod's constraints live.
func count(v *cluster.View, p *podspec.Pod) {
	everywhere := func(*podspec.Where) func(*corev1.Node) bool { return func(*corev1.Node) bool { return true } }
	for i := range p.Spread.Hard {
		c := &p.Spread.Hard[i]
		v.Domains(v.Tally(&c.Pods), c.TopologyKey, v.Area(&c.Where, everywhere))
	}
}

// BenchmarkPodOnRow measures a pod that comes to a row and goes, beside 100 selectors of
// which some count it.
func BenchmarkPodOnRow(b *testing.B) {
	const selectors = 100
	for _, counted := range []int{0, 1, selectors} {
		b.Run(fmt.Sprintf("counted-by-%d-of-%d", counted, selectors), func(b *testing.B) {
			c, specs := metropolis()
			for i := range selectors {
				selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "app-" + strconv.Itoa(100+i)}}
				if i < counted {
					selector.MatchLabels = map[string]string{"app": "app-1"}
					selector.MatchExpressions = []metav1.LabelSelectorRequirement{
						{Key: "not-" + strconv.Itoa(i), Operator: metav1.LabelSelectorOpDoesNotExist},
					}
				}
				count(&c.View, spreading(specs, "asks", selector))
			}
			p := object.Pod("new", kindLabel(1), object.Label("team", "a"))
			p.UID = "new"
			spec := specs.Compile(p)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.Assume(spec, int32(i%benchNodes))
				c.Remove(spec.UID)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/move")
		})
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
