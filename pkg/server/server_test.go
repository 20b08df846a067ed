package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/client-go/util/cert"
	"k8s.io/component-base/configz"
	configv1 "k8s.io/kube-scheduler/config/v1"
)

// serving is a server on a free port, and who asks it.
type serving struct {
	url    string
	client *http.Client
	stop   func()
}

// start serves pages, with a certificate in files if there are any.
func start(t *testing.T, certFile, keyFile string) *serving {
	t.Helper()
	o := options.NewSecureServingOptions()
	o.ServerCert.CertDirectory = "" // in memory
	o.ServerCert.CertKey = options.CertKey{CertFile: certFile, KeyFile: keyFile}
	var err error
	if o.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if err := o.MaybeDefaultWithSelfSignedCerts("localhost", nil, []net.IP{net.IPv4(127, 0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	fine := error(nil)
	s := Server{Grace: time.Second, Pages: *newPages(&fine), Config: &configv1.KubeSchedulerConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: "kubescheduler.config.k8s.io/v1", Kind: "KubeSchedulerConfiguration"}}}
	s.Pages.Profiling = true
	if err := o.ApplyTo(&s.Port); err != nil {
		t.Fatal(err)
	}
	s.Access.Authentication.Authenticator = authenticator.RequestFunc(tokens)
	s.Access.Authorization.Authorizer = rights(new([]string))
	stop, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	return &serving{url: "https://" + o.Listener.Addr().String(), client: &http.Client{Transport: transport}, stop: func() {
		stop()
		transport.CloseIdleConnections()
	}}
}

func (s *serving) get(ctx context.Context, path string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "reader")
	res, err := s.client.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func TestServerLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for range 2 {
		s := start(t, "", "")
		got, err := s.get(t.Context(), "/configz")
		const want = `{"componentconfig":{"kind":"KubeSchedulerConfiguration",`
		if err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("/configz: %v\n%s", err, got)
		}
		s.stop()
		if got, err := s.get(t.Context(), "/healthz"); err == nil {
			t.Errorf("the port still answers: %s", got)
		}
	}
}

// Somebody else in the process shows a configuration under the same name.
func TestForeignConfigurationStays(t *testing.T) {
	theirs, err := configz.New(configName)
	if err != nil {
		t.Fatal(err)
	}
	defer configz.Delete(configName)
	if err := theirs.Set(&configv1.KubeSchedulerConfiguration{TypeMeta: metav1.TypeMeta{APIVersion: "theirs/v1", Kind: "Theirs"}}); err != nil {
		t.Fatal(err)
	}
	s := start(t, "", "")
	s.stop()
	if _, err := configz.New(configName); err == nil {
		t.Error("their configuration is gone")
	}
}

// A request that would go on is cut when its time is over.
func TestStopEndsRequests(t *testing.T) {
	ctx, cut := context.WithCancel(t.Context())
	entered := make(chan struct{})
	h := endWith(ctx, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
	}))
	ended := make(chan struct{})
	go func() {
		ask(h, "", "GET", "/debug/pprof/profile", "")
		close(ended)
	}()
	<-entered
	cut()
	<-ended
}

func TestNoPortIsAnError(t *testing.T) {
	fine := error(nil)
	s := start(t, "", "")
	defer s.stop()
	o := options.NewSecureServingOptions()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o.Listener = l
	broken := Server{Pages: *newPages(&fine), Config: &configv1.KubeSchedulerConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: "kubescheduler.config.k8s.io/v1", Kind: "KubeSchedulerConfiguration"}}}
	if err := o.ApplyTo(&broken.Port); err != nil {
		t.Fatal(err)
	}
	broken.Port.Listener = nil
	if _, err := broken.Start(); err == nil || err.Error() != "failed to start secure server: listener must not be nil" {
		t.Errorf("got %v", err)
	}
}

func TestCertificateIsReloaded(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "crt"), filepath.Join(dir, "key")
	write := func(host string) {
		t.Helper()
		c, k, err := cert.GenerateSelfSignedCertKey(host, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(certFile, c, 0o600), os.WriteFile(keyFile, k, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("first.example")
	s := start(t, certFile, keyFile)
	defer s.stop()
	shown := func() string {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	if got := shown(); !strings.HasPrefix(got, "first.example") {
		t.Errorf("certificate of %s", got)
	}
	write("second.example")
	isServed := func(context.Context) (bool, error) { return strings.HasPrefix(shown(), "second.example"), nil }
	if wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, 30*time.Second, true, isServed) != nil {
		t.Fatal("the new certificate is not served")
	}
}
