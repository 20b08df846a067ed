package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// Weights of default plugins are changed in three ways, and /configz shows each merged into
// the default profile, whose order is kept (case B63).
func TestConfigzShowsTheMergedProfile(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	f := func(name, plugins string, want func(*configv1.Plugins)) {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			kubeconfig, err := c.Kubeconfig(controlplane.Scheduler)
			must(t, err)
			must(t, os.WriteFile(file, fmt.Appendf(nil, "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"+
				"clientConnection: {kubeconfig: %s}\nprofiles: [{plugins: %s}]\n", kubeconfig, plugins), 0o600))
			port := startBinary(t, c, "--config="+file, "--authorization-always-allow-paths=/configz").port
			must(t, c.WaitFor(within(t, time.Minute), "/readyz", func(context.Context) error { return ready(port) }))
			got, expected := shownPlugins(t, port), config.Default().Profiles[0].Plugins.DeepCopy()
			want(expected)
			if !slices.EqualFunc(got.MultiPoint.Enabled, expected.MultiPoint.Enabled, samePlugin) ||
				!slices.EqualFunc(got.Score.Enabled, expected.Score.Enabled, samePlugin) ||
				!slices.EqualFunc(got.Score.Disabled, expected.Score.Disabled, samePlugin) {
				t.Errorf("/configz shows %+v and %+v, want %+v and %+v", got.MultiPoint, got.Score, expected.MultiPoint, expected.Score)
			}
		})
	}
	weight := func(w int32) *int32 { return &w }
	f("at a point", "{score: {enabled: [{name: NodeResourcesBalancedAllocation, weight: 50}]}}", func(p *configv1.Plugins) {
		p.Score.Enabled = []configv1.Plugin{{Name: "NodeResourcesBalancedAllocation", Weight: weight(50)}}
	})
	f("in place", "{multiPoint: {enabled: [{name: TaintToleration, weight: 7}]}}", func(p *configv1.Plugins) {
		i := slices.IndexFunc(p.MultiPoint.Enabled, func(p configv1.Plugin) bool { return p.Name == "TaintToleration" })
		p.MultiPoint.Enabled[i].Weight = weight(7)
	})
	f("off at a point", "{score: {disabled: [{name: ImageLocality}]}}", func(p *configv1.Plugins) {
		p.Score.Disabled = []configv1.Plugin{{Name: "ImageLocality"}}
	})
}

// shownPlugins are those of the first profile on /configz.
func shownPlugins(t *testing.T, port string) *configv1.Plugins {
	t.Helper()
	code, body, err := page(port, "/configz")
	must(t, err)
	var shown struct {
		Config configv1.KubeSchedulerConfiguration `json:"componentconfig"`
	}
	if err := json.Unmarshal([]byte(body), &shown); err != nil || len(shown.Config.Profiles) != 1 {
		t.Fatalf("/configz says %d: %s (%v)", code, body, err)
	}
	return shown.Config.Profiles[0].Plugins
}

// samePlugin compares what counts: no weight is that of the default.
func samePlugin(a, b configv1.Plugin) bool {
	weight := func(w *int32) int32 {
		if w == nil {
			return 0
		}
		return *w
	}
	return a.Name == b.Name && weight(a.Weight) == weight(b.Weight)
}
