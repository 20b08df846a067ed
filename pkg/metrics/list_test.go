package metrics

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/queue"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

var update = flag.Bool("update", false, "write the list of metrics into testdata")

// fill gives every metric a sample. The recorder is to be closed.
func fill() *Recorder {
	now := time.Unix(100, 0)
	r, p := NewRecorder(), NewProbe("p")
	r.Decided(engine.Decision{Seq: 1, Verdict: engine.Placed}, now, time.Millisecond)
	r.Settled(engine.Settled{Seq: 1, Result: engine.Bound}, now)
	r.Handled([]string{"NodeAdd"}, time.Millisecond)
	r.Publish(&engine.Stats{
		Entries:     map[queue.Incoming]uint64{{Place: queue.Active, Event: "UnscheduledPodAdd"}: 1},
		Waiting:     map[queue.Waiting]int{{Plugin: "NodeName", Profile: "p"}: 1},
		Evaluations: map[engine.Evaluation]uint64{{Profile: "p", Plugin: "NodeName", At: config.Filter}: 1},
	})
	p.Point(config.Filter, fwk.Success, 0)
	p.Plugin("NodeName", config.Filter, fwk.Success, 0)
	NewHintProbe().Hint(queue.Answer{Plugin: "NodeName", Event: "NodeAdd", Hint: "Queue"}, 0)
	p.Span(config.Permit, fwk.Success, time.Second)
	return r
}

// shape is all of a metric but its samples: level, name, type, labels and buckets.
func shape(f *dto.MetricFamily) string {
	m := f.GetMetric()[0]
	var labels, buckets []string
	for _, l := range m.GetLabel() {
		labels = append(labels, l.GetName())
	}
	for _, b := range m.GetHistogram().GetBucket() {
		buckets = append(buckets, fmt.Sprint(b.GetUpperBound()))
	}
	level, _, _ := strings.Cut(f.GetHelp(), " ")
	return strings.TrimRight(fmt.Sprintf("%s %s %s {%s} %s", level, f.GetName(), strings.ToLower(f.GetType().String()),
		strings.Join(labels, " "), strings.Join(buckets, " ")), " ")
}

// Dashboards and alerts depend on each word of this list. test/process holds it against
// kube-scheduler's.
func TestListOfMetrics(t *testing.T) {
	Register()
	defer fill().Close()
	var list []string
	add := func(g metrics.Gatherer) {
		t.Helper()
		families, err := g.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if strings.HasPrefix(f.GetName(), subsystem+"_") || strings.HasPrefix(f.GetName(), "kube_pod") {
				list = append(list, shape(f)+"\n")
			}
		}
	}
	pod := object.Pod("a", object.CPU("1"), object.PodFunc(func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Limits = p.Spec.Containers[0].Resources.Requests
	}))
	add(legacyregistry.DefaultGatherer)
	add(NewResources(func() []*corev1.Pod { return []*corev1.Pod{pod} }))
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	got := strings.Join(list, "")
	const file = "testdata/metrics.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(got, string(want)); err != nil || diff != "" {
		t.Errorf("got (-), %s (+), write it with -update (%v):\n%s", file, err, diff)
	}
}

func name(line string) string { return strings.Fields(line)[1] }
