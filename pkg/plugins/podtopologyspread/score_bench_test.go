package podtopologyspread

import (
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// BenchmarkNewService measures the scores of the first pod of a service that nobody asked
// for before, by the system's defaults: its counters are made.
func BenchmarkNewService(b *testing.B) {
	const nodes, services, podsOfEach = 5000, 512, 20
	specs := podspec.NewCompiler()
	c := cluster.New(specs.Resources)
	rows := make([]int32, nodes)
	for i := range rows {
		n := object.Node("n"+strconv.Itoa(i), object.Zone("z"+strconv.Itoa(i%3)))
		c.SetNode(n)
		rows[i], _ = c.Row(n.Name)
	}
	asking := make([]*podspec.Pod, services)
	for s := range asking {
		app := "s" + strconv.Itoa(s)
		c.SetService("default", app, map[string]string{"app": app})
		asking[s] = specs.Compile(object.PodOf("app=" + app))
		for i := range podsOfEach {
			at := s*podsOfEach + i
			p := specs.Compile(object.PodOf("app="+app, object.OnNode("n"+strconv.Itoa(at%nodes))))
			p.UID = types.UID(strconv.Itoa(at))
			c.SetPod(p)
		}
	}
	for _, p := range asking {
		c.View.Siblings(p) // which is remembered
	}
	plugin, out := New(nil), make([]int64, nodes)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%services == 0 {
			b.StopTimer()
			for range 8192 { // until the counters of the last round are dropped
				c.Turn()
			}
			b.StartTimer()
		}
		cycle := &framework.Cycle{View: &c.View, Pod: asking[i%services]}
		plugin.PreScore(cycle, rows)
		if err := plugin.Score(cycle, rows, out); err != nil {
			b.Fatal(err)
		}
	}
}
