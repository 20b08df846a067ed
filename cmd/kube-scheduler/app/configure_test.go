package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/berth-scheduler/berth/pkg/config"
)

// configured returns what flags and a file, if there is one, come to.
func configured(t *testing.T, file string, args ...string) config.Config {
	t.Helper()
	o := newOptions()
	flags := o.flags()
	if file != "" {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"+file), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config="+path)
	}
	all := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, fs := range flags.FlagSets {
		all.AddFlagSet(fs)
	}
	if err := all.Parse(args); err != nil {
		t.Fatal(err)
	}
	c, err := o.configure()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestKubeconfigFlagFillsAGapOnly(t *testing.T) {
	f := func(file, want string, args ...string) {
		t.Helper()
		if got := configured(t, file, args...).ClientConnection.Kubeconfig; got != want {
			t.Errorf("%q with %v: kubeconfig %q, want %q", file, args, got, want)
		}
	}
	f("", "")
	f("", "/flag", "--kubeconfig=/flag")
	f("parallelism: 3\n", "/flag", "--kubeconfig=/flag")
	f("clientConnection: {kubeconfig: /file}\n", "/file", "--kubeconfig=/flag")
}

func TestFileGoesBeforeDeprecatedFlagsButOne(t *testing.T) {
	c := configured(t, "clientConnection: {qps: 7}\n", "--kube-api-qps=1", "--kube-api-burst=2", "--profiling=false", "--pod-max-in-unschedulable-pods-duration=1h")
	if c.ClientConnection.QPS != 7 || c.ClientConnection.Burst != 100 || !*c.EnableProfiling || c.UnschedulableTimeout != time.Hour {
		t.Errorf("got %+v, profiling %v, timeout %v", c.ClientConnection, *c.EnableProfiling, c.UnschedulableTimeout)
	}
	c = configured(t, "", "--kube-api-qps=1", "--kube-api-burst=2", "--contention-profiling=false")
	if c.ClientConnection.QPS != 1 || c.ClientConnection.Burst != 2 || *c.EnableContentionProfiling || c.UnschedulableTimeout != 5*time.Minute {
		t.Errorf("got %+v, contention %v, timeout %v", c.ClientConnection, *c.EnableContentionProfiling, c.UnschedulableTimeout)
	}
}

func TestLeaderElectionFlagsGoBeforeTheFile(t *testing.T) {
	c := configured(t, "leaderElection: {leaseDuration: 40s, resourceName: mine}\n", "--leader-elect=false", "--leader-elect-retry-period=3s")
	l := c.Election()
	if l.LeaderElect || l.LeaseDuration.Duration != 40*time.Second || l.RetryPeriod.Duration != 3*time.Second || l.ResourceName != "mine" {
		t.Errorf("got %+v", l)
	}
}
