package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/features"
	"github.com/berth-scheduler/berth/test/process/corpus"
)

func files(t *testing.T, dir string) []corpus.File {
	t.Helper()
	all, err := corpus.Read(dir)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files in %s: %v", len(all), dir, err)
	}
	return all
}

func gates(t *testing.T, flags []string) *features.Gates {
	t.Helper()
	g, fs := features.New(), pflag.NewFlagSet("test", pflag.ContinueOnError)
	g.AddFlags(fs)
	if err := fs.Parse(flags); err != nil {
		t.Fatal(err)
	}
	if err := g.Set(); err != nil {
		t.Fatal(err)
	}
	return g
}

// completed takes a text all the way to what is printed.
func completed(text string, g *features.Gates) (string, error) {
	c, err := Load([]byte(text), g)
	if err != nil {
		return "", err
	}
	if err := c.Validate(); err != nil {
		return "", err
	}
	if err := c.Complete(); err != nil {
		return "", err
	}
	out, err := c.Encode()
	return string(out), err
}

func TestGoodFilesAreCompletedAsUpstreamDoes(t *testing.T) {
	for _, f := range files(t, "testdata/good") {
		want, err := os.ReadFile(f.Completed)
		if err != nil {
			t.Fatal(err)
		}
		g := gates(t, f.Flags)
		got, err := completed(f.Text, g)
		if diff := cmp.Diff(got, string(want)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", f.Path, err, diff)
			continue
		}
		if again, err := completed(got, g); err != nil || again != got {
			t.Errorf("%s is not complete: %v\n%s", f.Completed, err, cmp.Diff(again, got))
		}
	}
}

func TestBadFilesAreRefusedInTheWordsOfUpstream(t *testing.T) {
	for _, f := range files(t, "testdata/bad") {
		_, err := completed(f.Text, gates(t, f.Flags))
		if err == nil || err.Error() != f.Want {
			t.Errorf("%s\ngot  %v\nwant %s", f.Path, err, f.Want)
		}
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		if _, err := Load([]byte(text), features.New()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	f("", "Object 'Kind' is missing in ''")
	f("apiVersion: kubescheduler.config.k8s.io/v1\n", "Object 'Kind' is missing in 'apiVersion: kubescheduler.config.k8s.io/v1\n'")
	f("{{{", "couldn't get version/kind; json parse error: invalid character '{' looking for beginning of object key string")
}

func TestDefaultIsAnEmptyFile(t *testing.T) {
	c := Default()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	got, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/good/nothing.completed.yaml")
	if diff := cmp.Diff(string(got), string(want)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestArgumentsOfTheWrongTypeAreRefused(t *testing.T) {
	c := Default()
	c.Profiles[0].PluginConfig[0].Args.Object = &configv1.KubeSchedulerConfiguration{}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "profiles[0].pluginConfig[0].args: Invalid value: ") ||
		!strings.Contains(err.Error(), "has to match plugin args") {
		t.Errorf("got %v", err)
	}
}
