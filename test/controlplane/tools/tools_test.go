package tools

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeGo stands in for the go command: it notes each build and writes a program, so these tests build nothing.
const fakeGo = `#!/bin/sh
if [ "$1" = env ]; then echo linux; echo amd64; exit; fi
echo "$*" >> "$BERTH_CACHE/builds"
[ ! -e "$BERTH_CACHE/hang" ] || exec sleep 600
[ ! -e "$BERTH_CACHE/broken" ] || { echo "undefined: everything"; exit 1; }
while [ "$1" != -o ]; do shift; done
echo '#!/bin/sh' > "$2"
chmod +x "$2"
`

// newCache puts the fake go first on PATH and returns a fresh cache folder.
func newCache(t *testing.T) string {
	t.Helper()
	bin, cache := t.TempDir(), t.TempDir()
	write(t, filepath.Join(bin, "go"), fakeGo)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("BERTH_CACHE", cache)
	return cache
}

func TestPathsBuildsOnlyWhatIsAskedForAndOnlyOnce(t *testing.T) {
	cache := newCache(t)
	for range 2 {
		paths, err := Paths(t.Context(), "benchstat", "kube-scheduler")
		if err != nil {
			t.Fatal(err)
		}
		if len(paths) != 2 || filepath.Base(paths[0]) != "benchstat" || filepath.Base(paths[1]) != "kube-scheduler" {
			t.Fatalf("got paths %q, want benchstat and kube-scheduler", paths)
		}
		for _, path := range paths {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
	}
	got := builds(t, cache)
	if len(got) != 2 || !strings.HasSuffix(got[0], "/cmd/benchstat") || !strings.HasSuffix(got[1], "/cmd/kube-scheduler") {
		t.Errorf("got builds %q, want one of benchstat, then one of kube-scheduler", got)
	}
}

func TestKubernetesProgramsAreStampedWithTheirVersion(t *testing.T) {
	cache := newCache(t)
	if _, err := Paths(t.Context(), "kube-apiserver"); err != nil {
		t.Fatal(err)
	}
	const at = "-X k8s.io/component-base/version."
	for _, want := range []string{at + "gitVersion=v1.", at + "gitMajor=1 ", at + "gitMinor="} {
		if got := builds(t, cache)[0]; !strings.Contains(got, want) {
			t.Errorf("got build %q, want %q in it", got, want)
		}
	}
}

func TestCallersAtOnceShareOneBuild(t *testing.T) {
	cache := newCache(t)
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			if _, err := Paths(t.Context(), "etcd"); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	if got := builds(t, cache); len(got) != 1 {
		t.Errorf("got builds %q, want one", got)
	}
}

func TestFailedBuildTellsWhyAndLeavesNothing(t *testing.T) {
	cache := newCache(t)
	write(t, filepath.Join(cache, "broken"), "")
	_, err := Paths(t.Context(), "etcd")
	if err == nil || !strings.Contains(err.Error(), "undefined: everything") {
		t.Errorf("got error %v, want what the compiler said", err)
	}
	expectNothingBuilt(t, cache)
}

func TestBuildEndsWithItsContext(t *testing.T) {
	cache := newCache(t)
	write(t, filepath.Join(cache, "hang"), "")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Paths(ctx, "etcd")
	if err == nil || !strings.Contains(err.Error(), "run `hack/tools.sh etcd` once") {
		t.Errorf("got error %v, want the command to run", err)
	}
	expectNothingBuilt(t, cache)
}

func TestUnknownProgramIsRefused(t *testing.T) {
	newCache(t)
	_, err := Paths(t.Context(), "kubectl")
	if err == nil || !strings.Contains(err.Error(), "unknown program kubectl") {
		t.Errorf("got error %v, want the unknown name", err)
	}
}

// builds returns the command line of each build that the fake go was asked for.
func builds(t *testing.T, cache string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(cache, "builds"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func expectNothingBuilt(t *testing.T, cache string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(cache, "tools", "*", "*etcd*"))
	if err != nil || len(left) != 0 {
		t.Errorf("got left-over files %q (error %v), want none", left, err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}
