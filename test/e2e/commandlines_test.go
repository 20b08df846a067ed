package e2e

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/cmd/kube-scheduler/app"
	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// The command lines that distributions start kube-scheduler with, and the files that they
// give it, work unchanged, but for the port: all of them run on one machine, and anybody
// may read the metrics. ROOT stands for the root of its file system. None needs rights that
// kube-scheduler does not have.
func TestCommandLinesOfDistributions(t *testing.T) {
	d := newDistributions(t)
	t.Run("kubeadm", func(t *testing.T) {
		d.embed("ROOT/etc/kubernetes/scheduler.conf")
		d.works(t, place{process: d.static(t)})
	})
	t.Run("kubespray", func(t *testing.T) {
		d.embed("ROOT/etc/kubernetes/scheduler.conf")
		d.configure("ROOT/etc/kubernetes/kubescheduler-config.yaml", "ROOT/etc/kubernetes/scheduler.conf", "")
		d.works(t, place{process: append(d.static(t), "--config=ROOT/etc/kubernetes/kubescheduler-config.yaml",
			"--profiling=False", "--bind-address=::", "--feature-gates=NodeDeclaredFeatures=true", "--tls-min-version=VersionTLS12",
			"--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")})
	})
	t.Run("RKE2", func(t *testing.T) {
		const server = "ROOT/var/lib/rancher/rke2/server/"
		d.refer(server)
		crt, key := d.ca.issue("kube-scheduler")
		write(t, crt, d.at(server+"tls/kube-scheduler/kube-scheduler.crt"))
		write(t, key, d.at(server+"tls/kube-scheduler/kube-scheduler.key"))
		d.works(t, place{process: []string{"--permit-port-sharing=true", "--authentication-kubeconfig=" + server + "cred/scheduler.kubeconfig",
			"--authorization-kubeconfig=" + server + "cred/scheduler.kubeconfig", "--bind-address=127.0.0.1",
			"--kubeconfig=" + server + "cred/scheduler.kubeconfig", "--profiling=false", "--secure-port=10259",
			"--tls-cert-file=" + server + "tls/kube-scheduler/kube-scheduler.crt", "--tls-private-key-file=" + server + "tls/kube-scheduler/kube-scheduler.key"}})
	})
	t.Run("K3s", func(t *testing.T) {
		const server = "ROOT/var/lib/rancher/k3s/server/"
		d.refer(server)
		d.works(t, place{inside: []string{"--authentication-kubeconfig=" + server + "cred/scheduler.kubeconfig",
			"--authorization-kubeconfig=" + server + "cred/scheduler.kubeconfig", "--bind-address=127.0.0.1",
			"--kubeconfig=" + server + "cred/scheduler.kubeconfig", "--leader-elect=false", "--profiling=false", "--secure-port=10259",
			"--v=0", "--vmodule=commandlines=2"}})
	})
	t.Run("Kubernetes The Hard Way", func(t *testing.T) {
		d.embed("ROOT/var/lib/kubernetes/kube-scheduler.kubeconfig")
		d.configure("ROOT/etc/kubernetes/config/kube-scheduler.yaml", "ROOT/var/lib/kubernetes/kube-scheduler.kubeconfig",
			"leaderElection:\n  leaderElect: true\n")
		d.works(t, place{process: []string{"--config=ROOT/etc/kubernetes/config/kube-scheduler.yaml", "--v=2"}})
	})
	t.Run("second scheduler", func(t *testing.T) { d.works(t, d.second(t)) })
}

// place is how a scheduler is started, and whose pods it places.
type place struct {
	process   []string // arguments of a process, or
	inside    []string // of a command in this one
	user      string   // who it is to the API server, if not kube-scheduler
	scheduler string   // that pods name, if not the default
}

// works starts a scheduler, and has it place a pod.
func (d *distributions) works(t *testing.T, p place) {
	ctx, began := within(t, time.Minute), time.Now()
	port := controlplane.HoldPort(t)
	args := append(d.all(append(p.process, p.inside...)), "--secure-port="+port, "--permit-port-sharing", openMetrics)
	m := meterOf(d.c, port)
	if p.inside != nil {
		d.runInside(t, m, args)
	} else {
		m = startSubject(t, d.c, launch{binary, "kube-scheduler.log", port, args}).meter
	}
	must(t, d.c.WaitFor(ctx, "/readyz", func(context.Context) error { return ready(port) }))
	pod := object.Pod(strings.ToLower(strings.ReplaceAll(filepath.Base(t.Name()), "_", "-")), object.CPU("100m"))
	if p.scheduler != "" {
		pod.Spec.SchedulerName, m.serves = p.scheduler, p.scheduler
	}
	must(t, d.c.CreatePods(ctx, pod))
	_, err := d.c.WaitBound(ctx, pod.Namespace, pod.Name)
	must(t, err)
	user := p.user
	if user == "" {
		user = controlplane.Scheduler
	}
	must(t, d.c.WaitFor(ctx, "the event", func(context.Context) error { return d.told(user, began) }))
	refused, err := d.c.Audit(func(e *controlplane.AuditEvent) bool {
		code := e.ResponseStatus.Code
		return e.Received.After(began) && (code == http.StatusForbidden || code == http.StatusUnauthorized)
	})
	must(t, err)
	for _, e := range refused {
		t.Errorf("%s may not %s %s", e.User.Username, e.Verb, e.RequestURI)
	}
}

// told returns nil once a user has bound a pod and written an event about it: that is
// the last thing it does.
func (d *distributions) told(user string, since time.Time) error {
	writes, err := d.c.Audit(func(e *controlplane.AuditEvent) bool {
		return e.User.Username == user && e.ObjectRef.Resource == "events" && e.ObjectRef.Namespace == "default" && e.Received.After(since)
	})
	if err == nil && len(writes) == 0 {
		err = fmt.Errorf("%s has written none", user)
	}
	return err
}

// runInside runs the command in this process until the test ends.
func (d *distributions) runInside(t *testing.T, m *meter, args []string) {
	t.Helper()
	cmd := app.NewSchedulerCommand()
	cmd.SetArgs(args)
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		if !t.Failed() {
			m.expectNobodyFlushed(t)
			m.expectRest(t)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the command ended with %v", err)
		}
	})
}

// ready asks a scheduler as a kubelet does.
func ready(port string) error {
	code, body, err := page(port, "/readyz")
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("/readyz says %d: %s", code, body)
	}
	return err
}

// page reads a page that anybody may see.
func page(port, path string) (code int, body string, err error) {
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	res, err := client.Get("https://127.0.0.1:" + port + path)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}
