package app

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/client-go/kubernetes/scheme"
	_ "k8s.io/component-base/logs/json/register" // as in main
)

// execute runs a command of its own in this process.
func execute(ctx context.Context, args ...string) error {
	cmd := NewSchedulerCommand()
	cmd.SetArgs(args)
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd.ExecuteContext(ctx)
}

const nowhere = "--master=https://127.0.0.1:1"

// written returns what a command writes as its configuration.
func written(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "written.yaml")
	if err := execute(context.Background(), append([]string{nowhere, "--secure-port=0", "--write-config-to=" + file}, args...)...); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCommandsInOneProcessAreTheirOwn(t *testing.T) {
	defer goleak.VerifyNone(t)
	const shape = "      shape:\n"
	first := written(t, "--feature-gates=StorageCapacityScoring=false", "--leader-elect-resource-name=mine", "--kube-api-qps=7")
	second := written(t)
	for text, want := range map[string]bool{shape: false, "resourceName: mine": true, "qps: 7": true} {
		if strings.Contains(first, text) != want || strings.Contains(second, text) == want {
			t.Errorf("%q: want it in one of both, first %v\n%s\n%s", text, want, first, second)
		}
	}
}

// empty is an API server without anything, whose watches say nothing.
func empty() (server *httptest.Server, watched <-chan struct{}) {
	watches := make(chan struct{}, 100)
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			version, kind := listed(r.URL.Path)
			_, _ = io.WriteString(w, `{"apiVersion":"`+version+`","kind":"`+kind+`","metadata":{"resourceVersion":"1"},"items":[]}`)
			return
		}
		w.(http.Flusher).Flush()
		watches <- struct{}{}
		<-r.Context().Done()
	}))
	return server, watches
}

// listed returns what a list at a path is: apps/v1 and ReplicaSetList.
func listed(path string) (version, kind string) {
	group, resource := filepath.Split(path)
	version = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(group, "/apis"), "/api"), "/")
	gv, err := schema.ParseGroupVersion(version)
	if err != nil {
		panic(err)
	}
	for kind := range scheme.Scheme.KnownTypes(gv) {
		if plural, _ := meta.UnsafeGuessKindToResource(gv.WithKind(kind)); plural.Resource == resource {
			return version, kind + "List"
		}
	}
	return version, "List"
}

func TestSchedulerRunsTwiceAndLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	server, watched := empty()
	defer server.Close()
	for range 2 {
		ctx, cancel := context.WithCancel(context.Background())
		var running sync.WaitGroup
		running.Go(func() {
			err := execute(ctx, "--master="+server.URL, "--secure-port=0", "--feature-gates=WatchListClient=false", "--kube-api-content-type=application/json")
			if err != nil {
				t.Error(err)
			}
		})
		for range 2 { // pods and nodes
			select {
			case <-watched:
			case <-time.After(10 * time.Second):
				t.Error("nobody watches")
			}
		}
		cancel()
		running.Wait()
	}
	written(t, "--feature-gates=WatchListClient=true")
}

func TestBadCommandLinesAreRefused(t *testing.T) {
	f := func(want string, args ...string) {
		t.Helper()
		args = append([]string{nowhere, "--bind-address=127.0.0.1", "--permit-port-sharing"}, args...)
		if err := execute(context.Background(), args...); err == nil || err.Error() != want {
			t.Errorf("%v: got %v, want %s", args, err, want)
		}
	}
	f(`"kube-scheduler" does not take any arguments, got ["foo"]`, "foo")
	f("unknown flag: --foo", "--foo")
	f("unrecognized feature gate: Nope", "--feature-gates=Nope=true", "--secure-port=99999")
	f(`format: Invalid value: "xml": Unsupported log format`, "--logging-format=xml", "--secure-port=99999")
	f("--secure-port 99999 must be between 1 and 65535, inclusive. It cannot be turned off with 0", "--secure-port=99999", "--config=/nope")
	f("open /nope: no such file or directory", "--config=/nope", "--secure-port=0")
	f("failed to get delegated authorization kubeconfig: stat /nope: no such file or directory", "--authorization-kubeconfig=/nope")
	f(`unknown tls version "Foo"`, "--tls-min-version=Foo")
}

func TestLibrariesFollowWhatACommandWasTold(t *testing.T) {
	const client, server = "WatchListClient", "RemoteRequestHeaderUID"
	f := func(want bool, args ...string) {
		t.Helper()
		written(t, args...)
		if got := clientfeatures.FeatureGates().Enabled(client); got != want {
			t.Errorf("%v: %s is %v in client-go, want %v", args, client, got, want)
		}
		if got := utilfeature.DefaultFeatureGate.Enabled(server); got != want {
			t.Errorf("%v: %s is %v in the API server library, want %v", args, server, got, want)
		}
	}
	f(true)
	f(false, "--feature-gates="+client+"=false,"+server+"=false")
	f(false) // nobody asked for anything else
	f(true, "--feature-gates="+client+"=true,"+server+"=true")
}
