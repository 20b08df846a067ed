package app

import (
	"strings"
	"testing"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/configz"
	"k8s.io/component-base/featuregate"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
)

// All tests of this package run in a process whose host came first, and took names that a
// scheduler uses: a metric's with other labels, and a gate's with another default.
func init() {
	theirs := metrics.NewCounterVec(&metrics.CounterOpts{
		Name: "scheduler_schedule_attempts_total", Help: "Theirs.", StabilityLevel: metrics.ALPHA,
	}, []string{"whose"})
	legacyregistry.MustRegister(theirs)
	theirs.WithLabelValues("theirs").Inc()
	err := utilfeature.DefaultMutableFeatureGate.Add(map[featuregate.Feature]featuregate.FeatureSpec{
		features.SchedulerPopFromBackoffQ: {Default: false, PreRelease: featuregate.Alpha},
	})
	if err != nil {
		panic(err)
	}
}

// Two run at once, on a port each, in a process whose host shows a configuration and has
// informers under the scheduler's names. One goes on when the other ends.
func TestTwoAtOnceInAProcessOfOthers(t *testing.T) {
	theirs, err := configz.New(configName)
	if err != nil {
		t.Fatal(err)
	}
	defer configz.Delete(configName)
	if err := theirs.Set(&configv1.KubeSchedulerConfiguration{TypeMeta: metav1.TypeMeta{APIVersion: "theirs/v1", Kind: "Theirs"}}); err != nil {
		t.Fatal(err)
	}
	informers, err := cache.NewInformerName(name)
	if err != nil {
		t.Fatal(err)
	}
	defer informers.Release()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())

	first := serve(t)
	second := serve(t)
	for _, s := range []*served{first, second} {
		for path, want := range map[string]string{
			"/metrics":        `scheduler_schedule_attempts_total{whose="theirs"} 1`,
			"/configz":        `"kind":"Theirs"`,
			"/flagz":          "leader-elect-lease-duration",
			"/livez?verbose":  "[+]progress ok",
			"/readyz?verbose": "[+]sched-handler-sync ok",
		} {
			if got := s.get(path); !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", path, want, got[:min(len(got), 2000)])
			}
		}
	}
	first.stop()
	if got := first.get("/healthz"); got == "ok" {
		t.Error("the port of the first answers after its end")
	}
	if got := second.get("/readyz"); got != "ok" {
		t.Errorf("with the end of the first, the second says %s", got)
	}
	second.stop()
	if utilfeature.DefaultFeatureGate.Enabled(features.SchedulerPopFromBackoffQ) {
		t.Error("their gate is on, which nobody has asked for")
	}
	if _, err := configz.New(configName); err == nil {
		t.Error("their configuration is gone")
	}
	if _, err := cache.NewInformerName(name); err == nil {
		t.Error("their informers lost their name")
	}
}
