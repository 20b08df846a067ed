package controlplane

import (
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

const page = `
# TYPE attempts counter
attempts{profile="a",result="scheduled"} 3
attempts{profile="b",result="scheduled"} 4
attempts{profile="a",result="error"} 1
# TYPE pending gauge
pending{queue="active"} 2
# TYPE duration histogram
duration_bucket{le="1"} 5
duration_bucket{le="+Inf"} 6
duration_sum 7.5
duration_count 6
`

func TestSumAddsTheSamplesWithTheLabels(t *testing.T) {
	metrics, err := ParseMetrics(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	f := func(want float64, wantFound bool, name string, labels ...string) {
		t.Helper()
		if got, found := metrics.Sum(name, labels...); got != want || found != wantFound {
			t.Errorf("got %v %v for %s%q, want %v %v", got, found, name, labels, want, wantFound)
		}
	}
	f(8, true, "attempts")
	f(7, true, "attempts", "result", "scheduled")
	f(1, true, "attempts", "result", "error", "profile", "a")
	f(0, false, "attempts", "result", "error", "profile", "b")
	f(2, true, "pending")
	f(6, true, "duration") // counts of observations
	f(0, false, "nothing")
}

func TestMetricsOfAServerAreReadAsAUser(t *testing.T) {
	c := shared(t)
	if err := c.CreatePods(t.Context(), object.Pod(unused("counted"))); err != nil {
		t.Fatal(err)
	}
	metrics, err := c.Metrics(t.Context(), c.URL()+"/metrics", Admin)
	if err != nil {
		t.Fatal(err)
	}
	if posts, _ := metrics.Sum("apiserver_request_total", "resource", "pods", "verb", "POST"); posts < 1 {
		t.Errorf("got %v counted posts of pods, want some", posts)
	}
	if _, err := c.Metrics(t.Context(), c.URL()+"/metrics", nobody); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("got error %v for a user without rights, want 403", err)
	}
}
