package metrics

import (
	"testing"
	"time"

	"k8s.io/component-base/metrics/legacyregistry"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

func TestProbeObservesWhatItIsTold(t *testing.T) {
	Register()
	legacyregistry.Reset()
	p := NewProbe("p")
	since, _ := p.Begin()
	since = p.Point(config.PreFilter, fwk.Success, since)
	since = p.Point(config.Filter, fwk.Success, since)
	p.Point(config.Filter, fwk.Error, since)
	p.Plugin("Fit", config.Score, fwk.Success, since)
	p.Plugin("Fit", runtime.Normalize, fwk.Success, since)
	p.Span(config.Permit, fwk.Unschedulable, time.Second)
	p.Span(config.Bind, fwk.Success, time.Second)
	want := map[string]float64{
		"framework_extension_point_duration_seconds{extension_point=PreFilter,profile=p,status=Success}":       1,
		"framework_extension_point_duration_seconds{extension_point=Filter,profile=p,status=Success}":          1,
		"framework_extension_point_duration_seconds{extension_point=Filter,profile=p,status=Error}":            1,
		"framework_extension_point_duration_seconds{extension_point=Bind,profile=p,status=Success}":            1,
		"plugin_execution_duration_seconds{extension_point=Score,plugin=Fit,status=Success}":                   1,
		"plugin_execution_duration_seconds{extension_point=ScoreExtensionNormalize,plugin=Fit,status=Success}": 1,
		"permit_wait_duration_seconds{result=Unschedulable}":                                                   1,
	}
	got := gathered(t)
	for key := range got {
		if _, ours := want[key]; !ours {
			delete(got, key)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// A reset drops the series that the probe knows. It finds the new ones within a second.
func TestProbeOutlivesAReset(t *testing.T) {
	Register()
	const key = "framework_extension_point_duration_seconds{extension_point=Reserve,profile=reset,status=Success}"
	p := NewProbe("reset")
	p.Point(config.Reserve, fwk.Success, 0)
	legacyregistry.Reset()
	p.found -= 2 * time.Second // time passes
	p.Point(config.Reserve, fwk.Success, 0)
	if got := gathered(t)[key]; got != 1 {
		t.Errorf("%v observations after the reset, want 1", got)
	}
}

func TestProbeAllocatesNothing(t *testing.T) {
	p := NewProbe("p")
	p.Point(config.Filter, fwk.Success, 0)
	p.found += time.Hour // nothing is found anew
	if got := testing.AllocsPerRun(100, func() {
		since, _ := p.Begin()
		p.Point(config.Filter, fwk.Success, since)
	}); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func TestSampleIsATenth(t *testing.T) {
	p := NewProbe("p")
	const tries = 20000
	n := 0
	for range tries {
		if _, each := p.Begin(); each {
			n++
		}
	}
	if n < tries/12 || n > tries/8 {
		t.Errorf("%d of %d in the sample, want a tenth", n, tries)
	}
}
