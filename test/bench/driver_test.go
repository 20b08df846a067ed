package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	configv1 "k8s.io/kube-scheduler/config/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/test/bench/procfs"
	"github.com/berth-scheduler/berth/test/bench/result"
	"github.com/berth-scheduler/berth/test/controlplane/child"
)

func TestNoiseIsInPercent(t *testing.T) {
	machine := procfs.Machine{Total: 10 * time.Second, Busy: 4 * time.Second, Steal: 300 * time.Millisecond}
	got := noise(machine, 3*time.Second, 100*time.Millisecond, 98*time.Millisecond)
	if got.Steal != 3 || got.Foreign != 10 || got.Drift < 1.99 || got.Drift > 2.01 {
		t.Errorf("got %+v, want 3 %% stolen, 10 %% foreign and a drift of 2 %%", got)
	}
	if got := noise(machine, 5*time.Second, time.Second, time.Second); got.Foreign != 0 {
		t.Errorf("got %.1f %% foreign, want 0 when all was ours", got.Foreign)
	}
}

func TestTooMuchNoiseMakesARunVoid(t *testing.T) {
	f := func(n result.Noise, want string) {
		t.Helper()
		if got := tooMuch(n); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%+v: got %q, want %q", n, got, want)
		}
	}
	f(result.Noise{Steal: 2, Drift: 3, Foreign: 50}, "")
	f(result.Noise{Steal: 2.1}, "steal was 2.1 %")
	f(result.Noise{Drift: 3.5}, "3.5 %")
}

func TestPodsAreDueAtTheirRate(t *testing.T) {
	if got := dueAt(0, 50); got != 0 {
		t.Errorf("the first pod is due at %v, want at once", got)
	}
	if got, want := dueAt(75, 50), 1500*time.Millisecond; got != want {
		t.Errorf("pod 75 at 50/s is due at %v, want %v", got, want)
	}
}

func TestUpstreamIsConfiguredByAFile(t *testing.T) {
	f := func(name string, wantPercentage int32) {
		t.Helper()
		dir := t.TempDir()
		command, err := (&programs{upstream: "kube-scheduler"}).command(name, "/some/kube config", dir)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(command, "--config="+filepath.Join(dir, "upstream.yaml")) {
			t.Errorf("got %v, want --config", command)
		}
		text, err := os.ReadFile(filepath.Join(dir, "upstream.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var c configv1.KubeSchedulerConfiguration
		if err := yaml.UnmarshalStrict(text, &c); err != nil {
			t.Fatal(err)
		}
		if c.ClientConnection.QPS != 10000 || c.ClientConnection.Burst != 10000 || *c.LeaderElection.LeaderElect ||
			c.ClientConnection.Kubeconfig != "/some/kube config" {
			t.Errorf("got %+v", c)
		}
		if percentage := c.PercentageOfNodesToScore; (percentage == nil) != (wantPercentage == 0) || percentage != nil && *percentage != wantPercentage {
			t.Errorf("got %v %% of nodes to score, want %d", percentage, wantPercentage)
		}
	}
	f("upstream", 0)
	f("upstream-all", 100)
}

func TestBerthGetsTheFlagsThatItHas(t *testing.T) {
	p := &programs{berth: "berth", berthHelp: "      --leader-elect              Start a leader election\n      --kubeconfig string   Path"}
	command, err := p.command("berth", "k", "")
	want := []string{"berth", "--kubeconfig=k", "--kube-api-qps=10000", "--kube-api-burst=10000", "--leader-elect=false"}
	if err != nil || !slices.Equal(command, want) {
		t.Errorf("got %v, %v, want %v", command, err, want)
	}
	if _, err := p.command("yours", "k", ""); err == nil {
		t.Error("got no error for a scheduler that is not known")
	}
}

func TestFolderIsForOneSeriesAtATime(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(dir); err == nil || !strings.Contains(err.Error(), "another benchmark") {
		t.Errorf("got %v for a second series, want an error", err)
	}
	unlock()
	again, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestChildIsWatchedAndStopped(t *testing.T) {
	log := filepath.Join(t.TempDir(), "logs", "x.log")
	c, err := startChild(log, []string{"sh", "-c", "echo hello; exec sleep 60"})
	if err != nil {
		t.Fatal(err)
	}
	if err := alive(c); err != nil {
		t.Error(err)
	}
	c.Stop(child.Grace)
	if err := alive(c); err == nil || !strings.Contains(err.Error(), "terminated") {
		t.Errorf("got %v, want an error that says how it ended", err)
	}
	if _, err := startChild(log, []string{"/no/such/program"}); err == nil {
		t.Error("got no error for a program that is not there")
	}
}
