package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/component-base/configz"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// served is a command that serves in this process.
type served struct {
	url    string
	client http.Client
	stop   func()
}

// serve runs a command for an empty cluster, whose pages anybody may see, and returns when
// it is ready.
func serve(t *testing.T, with ...Option) *served {
	t.Helper()
	api, _ := empty()
	port := controlplane.HoldPort(t)
	cmd := NewSchedulerCommand(with...)
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	cmd.SetArgs([]string{"--master=" + api.URL, "--bind-address=127.0.0.1", "--secure-port=" + port, "--permit-port-sharing", "--feature-gates=WatchListClient=false",
		"--kube-api-content-type=application/json", "--leader-elect=false", "--authorization-always-allow-paths=*"})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := cmd.ExecuteContext(ctx); err != nil {
			t.Error(err)
		}
	})
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	s := &served{url: "https://127.0.0.1:" + port, client: http.Client{Transport: transport}}
	s.stop = func() { cancel(); running.Wait(); transport.CloseIdleConnections(); api.Close() }
	isReady := func(context.Context) (bool, error) { return s.get("/readyz") == "ok", nil }
	if wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, 30*time.Second, true, isReady) != nil {
		why := s.get("/readyz?verbose")
		s.stop()
		t.Fatalf("not ready: %s", why)
	}
	return s
}

// get returns a page, or the error.
func (s *served) get(path string) string {
	res, err := s.client.Get(s.url + path)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// A host may run the command, end it, and run it again, beside components that show a
// configuration and metrics of their own.
func TestServedTwiceBesideOthers(t *testing.T) {
	theirs, err := configz.New("theirs")
	if err != nil {
		t.Fatal(err)
	}
	defer configz.Delete("theirs")
	if err := theirs.Set(&configv1.KubeSchedulerConfiguration{TypeMeta: metav1.TypeMeta{APIVersion: "theirs/v1", Kind: "Theirs"}}); err != nil {
		t.Fatal(err)
	}
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for range 2 {
		s := serve(t)
		for path, want := range map[string]string{
			"/healthz?verbose":   "[+]ping ok\nhealthz check passed\n",
			"/livez?verbose":     "[+]ping ok\n[+]progress ok\nlivez check passed\n",
			"/readyz?verbose":    "[+]shutdown ok\n[+]sched-handler-sync ok\nreadyz check passed\n",
			"/configz":           `"componentconfig":{"kind":"KubeSchedulerConfiguration",`,
			"/metrics":           `scheduler_pending_pods{queue="active"} 0`,
			"/metrics/resources": "",
			"/metrics/slis":      `kubernetes_healthcheck{name="sched-handler-sync",type="readyz"} 1`,
			"/flagz":             "leader-elect",
			"/statusz":           "/configz /flagz /healthz /livez /metrics /readyz",
			"/debug/flags":       "<tr>v<br>",
		} {
			if got := s.get(path); !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", path, want, got[:min(len(got), 2000)])
			}
		}
		s.stop()
		if got := s.get("/healthz"); got == "ok" {
			t.Error("the port answers after the end")
		}
	}
	if _, err := configz.New(configName); err != nil {
		t.Errorf("a configuration is left: %v", err)
	}
	configz.Delete(configName)
}

const configName = "componentconfig"

func TestDumpOnRequest(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	requests := make(chan os.Signal)
	s := serve(t, DumpOn(requests))
	defer s.stop()
	for range 2 { // the second is received when the first is done
		select {
		case requests <- syscall.SIGUSR2:
		case <-time.After(10 * time.Second):
			t.Fatal("nobody listens")
		}
	}
}

func TestPortIsFreeAfterAFailure(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // nobody else may share it
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err := execute(t.Context(), nowhere, "--bind-address=127.0.0.1", "--secure-port="+port, "--authentication-kubeconfig=/nope")
		if want := "failed to get delegated authentication kubeconfig: failed to get delegated authentication kubeconfig: stat /nope: no such file or directory"; fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
