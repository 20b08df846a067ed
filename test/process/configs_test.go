package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/process/corpus"
)

const (
	goodFiles   = "../../pkg/config/testdata/good"
	badFiles    = "../../pkg/config/testdata/bad"
	badProfiles = "../../pkg/scheduler/testdata/bad"
)

func files(t *testing.T, dir string) []corpus.File {
	t.Helper()
	all, err := corpus.Read(dir)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files in %s: %v", len(all), dir, err)
	}
	return all
}

// arguments are those with which a file is tried.
func arguments(t *testing.T, f corpus.File) []string {
	t.Helper()
	path, err := filepath.Abs(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"--config=" + path, nowhere, "--secure-port=0", "--write-config-to=FILE", "-v=2"}, f.Flags...)
}

// Among them are the weights of case B63: weight-in-place, weight-at-the-end and
// weights-by-profile; json is the last of case B61.
func TestGoodFilesAreCompletedAlike(t *testing.T) {
	for _, f := range files(t, goodFiles) {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			args := arguments(t, f)
			want := ask(t, upstream, args...)
			if *update {
				if err := os.WriteFile(f.Completed, []byte(want.File), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(f.Completed)
			if diff := cmp.Diff(string(golden), want.File); err != nil || diff != "" {
				t.Errorf("%s is not what kube-scheduler writes (%v), run with -update:\n%s", f.Completed, err, diff)
			}
			if f.Refused != "" {
				want = answer{Code: 1, Message: f.Refused}
			}
			diff := cmp.Diff(ask(t, ours, args...), want)
			if diff != "" {
				t.Errorf("got (-), want (+):\n%s", diff)
			}
			if f.Refused != "" {
				lacks("configuration files", f.Name, f.Refused)
				return
			}
			note("configuration files", f.Name, diff == "")
		})
	}
}

// Among them are the four of case B61: version, unknown-point, unknown-field and key-twice.
func TestBadFilesAreRefusedAlike(t *testing.T) {
	for _, dir := range []string{badFiles, badProfiles} {
		for _, f := range files(t, dir) {
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				args := arguments(t, f)
				want := ask(t, upstream, args...)
				want.Plugins = "" // of the profiles before the bad one
				if *update {
					rewrite(t, f, want.Message)
				} else if f.Want != want.Message {
					t.Errorf("%s is not what kube-scheduler says, run with -update:\n%s", f.Path, cmp.Diff(f.Want, want.Message))
				}
				got := ask(t, ours, args...)
				got.Plugins = ""
				diff := cmp.Diff(got, want)
				if diff != "" {
					t.Errorf("got (-), want (+):\n%s", diff)
				}
				note("configuration files", f.Name, diff == "")
			})
		}
	}
}

// rewrite writes what kube-scheduler says at the end of a file.
func rewrite(t *testing.T, f corpus.File, message string) {
	t.Helper()
	var text strings.Builder
	for line := range strings.Lines(f.Text) {
		if !strings.HasPrefix(line, "# want: ") {
			text.WriteString(line)
		}
	}
	for _, line := range strings.Split(message, "\n") {
		text.WriteString("# want: " + line + "\n")
	}
	if err := os.WriteFile(f.Path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
