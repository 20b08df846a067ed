package process

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// missing are the metrics that kube-scheduler shows after the workload and we do not,
// by why. Once we do, its line must go.
var missing = map[string]string{
	"scheduler_batch_attempts_total":                    "pods are not batched",
	"scheduler_batch_cache_flushed_total":               "pods are not batched",
	"scheduler_get_node_hint_duration_seconds":          "pods are not batched",
	"scheduler_store_schedule_results_duration_seconds": "pods are not batched",
	"scheduler_preemption_attempts_total":               "preemption is not built",
	"scheduler_preemption_victims":                      "preemption is not built",
}

// byChance are metrics that a process shows when something has happened that no workload
// makes happen.
var byChance = regexp.MustCompile(`^(go|process)_|^rest_client_request_retries_total$|^workqueue_retries_total$|^rest_client_rate_limiter_duration_seconds$`)

// shapes returns what metrics there are: by name their level, type, labels and buckets.
func shapes(m controlplane.Metrics) map[string]string {
	all := map[string]string{}
	for name, family := range m {
		if byChance.MatchString(name) {
			continue
		}
		labels, buckets := map[string]bool{}, ""
		for _, sample := range family.GetMetric() {
			for _, l := range sample.GetLabel() {
				labels[l.GetName()] = true
			}
			buckets = bounds(sample)
		}
		level := regexp.MustCompile(`^\[[A-Z]+\]`).FindString(family.GetHelp())
		all[name] = fmt.Sprintf("%s %s %v %s", level, family.GetType(), slices.Sorted(maps.Keys(labels)), buckets)
	}
	return all
}

func bounds(m *dto.Metric) string {
	var list []string
	for _, b := range m.GetHistogram().GetBucket() {
		list = append(list, fmt.Sprint(b.GetUpperBound()))
	}
	if m.GetHistogram() != nil && m.GetHistogram().Schema != nil {
		list = append(list, "native")
	}
	return strings.Join(list, " ")
}

// metricsOf reads a page of metrics, in the format that has native histograms too.
func metricsOf(t *testing.T, l *live, path string) controlplane.Metrics {
	t.Helper()
	a, err := l.get(request{path: path, user: controlplane.Admin, accept: protobuf})
	must(t, err)
	m := controlplane.Metrics{}
	for from := expfmt.NewDecoder(strings.NewReader(a.body), expfmt.NewFormat(expfmt.TypeProtoDelim)); ; {
		family := &dto.MetricFamily{}
		if err := from.Decode(family); errors.Is(err, io.EOF) {
			return m
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		m[family.GetName()] = family
	}
}

// compareMetrics holds what both show after the same workload against each other.
func compareMetrics(t *testing.T, us, them *live) {
	for _, path := range []string{"/metrics", "/metrics/resources", "/metrics/slis"} {
		got, want := shapes(metricsOf(t, us, path)), shapes(metricsOf(t, them, path))
		for _, name := range slices.Sorted(maps.Keys(want)) {
			compareMetric(t, name, got[name], want[name])
		}
		for name := range got {
			if want[name] == "" {
				t.Errorf("%s: kube-scheduler does not show it: %s", name, got[name])
				note("metrics", name, false)
			}
		}
	}
}

func compareMetric(t *testing.T, name, got, want string) {
	why, excused := missing[name]
	switch {
	case got == "" && excused:
		lacks("metrics", name, why)
		return
	case got == "":
		t.Errorf("%s is missing: %s", name, want)
	case excused:
		t.Errorf("%s is there: it is not missing any more because %s", name, why)
	case got != want:
		t.Errorf("%s: ours (-), kube-scheduler's (+):\n%s", name, cmp.Diff(got, want))
	}
	note("metrics", name, got == want && !excused)
}

// comparePods holds the samples of /metrics/resources against each other. A pod may be
// on another node.
func comparePods(t *testing.T, us, them *live) {
	node := regexp.MustCompile(`node="n\d"`)
	lines := func(l *live) (list []string) {
		a, err := l.get(request{path: "/metrics/resources", user: controlplane.Admin})
		must(t, err)
		for line := range strings.Lines(a.body) {
			if !strings.HasPrefix(line, "#") {
				list = append(list, node.ReplaceAllString(line, `node="some"`))
			}
		}
		slices.Sort(list)
		return list
	}
	got, want := lines(us), lines(them)
	if diff := cmp.Diff(got, want); diff != "" || len(want) == 0 {
		t.Errorf("%d samples of resources, ours (-), kube-scheduler's (+):\n%s", len(want), diff)
	}
}

// compareCounts holds counters against each other that the workload decides alone.
func compareCounts(t *testing.T, us, them *live) {
	got, want := metricsOf(t, us, "/metrics"), metricsOf(t, them, "/metrics")
	for _, c := range [][]string{
		{"scheduler_schedule_attempts_total", "result", "scheduled"},
		{"scheduler_pod_scheduling_attempts"},
		{"scheduler_pending_pods", "queue", "unschedulable"},
		{"scheduler_pending_pods", "queue", "gated"},
		{"scheduler_pending_pods", "queue", "active"},
		{"scheduler_unschedulable_pods", "plugin", "NodeResourcesFit"},
		{"scheduler_cache_size", "type", "nodes"},
		{"scheduler_cache_size", "type", "pods"},
		{"scheduler_pod_scheduled_after_flush_total"},
		{"scheduler_queue_incoming_pods_total", "event", "UnscheduledPodAdd", "queue", "active"},
		{"scheduler_queue_incoming_pods_total", "event", "UnscheduledPodAdd", "queue", "unschedulable"},
		{"scheduler_queue_incoming_entities_total", "event", "UnscheduledPodAdd"},
		{"scheduler_queue_incoming_entities_total", "event", "ScheduleAttemptFailure"},
		{"scheduler_queue_incoming_entities_total", "event", "AssignedPodDelete"},
		{"scheduler_plugin_evaluation_total", "plugin", "NodeResourcesFit", "extension_point", "PreFilter"},
		{"scheduler_framework_extension_point_duration_seconds", "extension_point", "Bind", "status", "Success"},
		{"scheduler_framework_extension_point_duration_seconds", "extension_point", "Score", "status", "Success"},
	} {
		ours, found := got.Sum(c[0], c[1:]...)
		theirs, known := want.Sum(c[0], c[1:]...)
		if ours != theirs || found != known {
			t.Errorf("%v is %v (%v), kube-scheduler's %v (%v)", c, ours, found, theirs, known)
		}
	}
}
