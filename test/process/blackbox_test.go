package process

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/plugins/notbuilt"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// outcome is what one program did in all scenes, as seen from outside.
type outcome struct {
	requeues map[string]string // by scene and step: the counters of the queue that moved
	requests map[string]string // by pod, or group of pods: what was written about it
}

// quickScenes are played by make test; make parity plays all of them, which takes minutes.
var quickScenes = []string{"plain", "gates", "others", "crowd", "related", "NodeUnschedulable", "NodeAffinity"}

// scenes returns what is played.
func scenes() []scene {
	all := slices.Concat(writtenScenes(), wokenScenes(), meantScenes())
	if *table {
		return all
	}
	return slices.DeleteFunc(all, func(s scene) bool { return !slices.Contains(quickScenes, s.name) })
}

// ofPlayed drops the reasons for differences of scenes that are not played.
func ofPlayed(meant map[string]string) map[string]string {
	meant = maps.Clone(meant)
	maps.DeleteFunc(meant, func(item, _ string) bool {
		name, _, _ := strings.Cut(item, ": ")
		return name != "all scenes" && !slices.ContainsFunc(scenes(), func(s scene) bool { return s.name == name })
	})
	return meant
}

// Both play the same scenes, each in a cluster of its own, and are judged by what the
// API server and the metrics tell about them.
func TestBlackBox(t *testing.T) {
	var us, them outcome
	t.Run("play", func(t *testing.T) {
		for _, side := range []struct {
			name, program string
			into          *outcome
		}{{"ours", ours, &us}, {"upstream", upstream, &them}} {
			t.Run(side.name, func(t *testing.T) {
				t.Parallel()
				*side.into = playAll(t, side.program)
			})
		}
	})
	if t.Failed() {
		return
	}
	t.Run("requeues", func(t *testing.T) { judge(t, "requeues", us.requeues, them.requeues, ofPlayed(meantRequeues)) })
	t.Run("requests", func(t *testing.T) { judge(t, "requests", us.requests, them.requests, ofPlayed(meantRequests)) })
}

// playAll starts a program and has it play all scenes.
func playAll(t *testing.T, program string) outcome {
	l := &live{ControlPlane: controlplane.Start(t, controlplane.Options{Audit: true})}
	l.run(t, program, "--config="+quickConfig(t, l))
	ctx := within(t, 10*time.Minute)
	o := outcome{map[string]string{}, map[string]string{}}
	for _, s := range scenes() {
		begin := time.Now()
		must(t, (&stage{live: l, scene: s}).play(ctx, o))
		t.Logf("%s took %v", s.name, time.Since(begin).Round(time.Millisecond))
	}
	log, err := l.Audit(byScheduler)
	must(t, err)
	must(t, wholeLog(log, o.requests))
	return o
}

// quickConfig has the plugins that both have, and short backoff.
func quickConfig(t *testing.T, l *live) string {
	t.Helper()
	kubeconfig, err := l.Kubeconfig(controlplane.Scheduler)
	must(t, err)
	var missing []string
	for _, p := range config.DefaultPlugins() {
		if _, guarded := notbuilt.For(p.Name); guarded {
			missing = append(missing, fmt.Sprintf("{name: %s}", p.Name))
		}
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	must(t, os.WriteFile(file, []byte(fmt.Sprintf(`
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: %s, qps: 1000, burst: 1000}
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 1
profiles:
- plugins: {multiPoint: {disabled: [%s]}}
`, kubeconfig, strings.Join(missing, ", "))), 0o644))
	return file
}

// judge compares what both did, item by item. meant has the reasons of differences.
func judge(t *testing.T, area string, got, want, meant map[string]string) {
	names := map[string]bool{}
	for _, m := range []map[string]string{got, want, meant} {
		for name := range m {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		equal, why := got[name] == want[name], meant[name]
		switch {
		case !equal && why != "":
			differs(area, name, why)
			continue
		case why != "":
			t.Errorf("%s: both do the same, so it is no deviation any more: %s", name, why)
		case !equal:
			t.Errorf("%s: ours (-), kube-scheduler's (+):\n%s", name, cmp.Diff(got[name], want[name]))
		}
		note(area, name, equal && why == "")
	}
}
