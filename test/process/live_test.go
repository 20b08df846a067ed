package process

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// The users that ask a scheduler's port, besides the control plane's own.
const (
	anonymous = ""         // sends no token
	stranger  = "strange"  // sends one that nobody knows
	monitor   = "monitor"  // in the group that Kubernetes lets read metrics
	guest     = "guest"    // has no rights of his own
	operator  = "operator" // may ask for any path
)

// live is one of the two programs, working for a control plane of its own.
type live struct {
	*controlplane.ControlPlane
	url     string // of its port
	client  *http.Client
	program string // its path
	process *child.Process
}

// startLive starts a control plane and a scheduler that leads there.
func startLive(t *testing.T, program string, flags ...string) *live {
	t.Helper()
	l := &live{ControlPlane: controlplane.Start(t, controlplane.Options{Users: []controlplane.User{
		{Name: monitor, Groups: []string{"system:monitoring"}}, {Name: guest}, {Name: operator},
	}})}
	l.run(t, program, flags...)
	return l
}

// run starts a scheduler for a control plane that is there, and returns when it is ready.
func (l *live) run(t *testing.T, program string, flags ...string) {
	t.Helper()
	cert, key, err := l.IssueCert("kube-scheduler")
	must(t, err)
	kubeconfig, err := l.Kubeconfig(controlplane.Scheduler)
	must(t, err)
	ca, err := os.ReadFile(l.CAFile())
	must(t, err)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(ca)
	l.client = &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	port := controlplane.HoldPort(t)
	l.url = "https://127.0.0.1:" + port
	l.program = program
	l.process = child.StartFor(t, "kube-scheduler-"+port+".log", program, append([]string{"--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig, "--bind-address=127.0.0.1", "--secure-port=" + port, "--permit-port-sharing",
		"--tls-cert-file=" + cert, "--tls-private-key-file=" + key, "-v=2"}, flags...)...)
	must(t, l.WaitFor(within(t, time.Minute), "the scheduler to be ready", func(context.Context) error {
		a, err := l.get(request{path: "/readyz"})
		if err == nil && a.code != http.StatusOK {
			err = fmt.Errorf("/readyz says %d: %s", a.code, a.body)
		}
		return err
	}))
}

// request is what is asked of a port. The method is GET unless it says another.
type request struct {
	method, path, user, accept, body string
}

// String names a request in a table.
func (r request) String() string {
	method, who := r.method, r.user
	if method == "" {
		method = http.MethodGet
	}
	if who == anonymous {
		who = "anonymous"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", who, method, r.path, r.accept))
}

// reply is what a port answers.
type reply struct {
	code   int
	header http.Header
	body   string
}

// get sends a request.
func (l *live) get(r request) (reply, error) {
	method := r.method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequest(method, l.url+r.path, strings.NewReader(r.body))
	if err != nil {
		return reply{}, err
	}
	switch r.user {
	case anonymous:
	case stranger:
		req.Header.Set("Authorization", "Bearer nobody-has-this")
	default:
		req.Header.Set("Authorization", "Bearer "+l.RESTConfig(r.user).BearerToken)
	}
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	res, err := l.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return reply{code: res.StatusCode, header: res.Header, body: string(body)}, err
}

// must fails the test on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// within is a context for the waits of one test.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}
