package controlplane

import (
	"context"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// StartAPIServer starts the API server again after StopAPIServer, at the same URL, and returns when it is ready.
func (c *ControlPlane) StartAPIServer(ctx context.Context) error {
	c.api = &child.Process{Log: c.path("kube-apiserver.log"), Lost: c.lose}
	if err := c.api.Start(c.apiPath, c.apiServerArgs()...); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return c.WaitFor(ctx, "kube-apiserver to be ready", c.ready)
}

// StopAPIServer ends the API server, by SIGTERM when it has a time of grace and by SIGKILL when that is over or zero.
// Clients see refused connections until StartAPIServer.
func (c *ControlPlane) StopAPIServer(grace time.Duration) {
	c.api.Stop(grace)
}

// ready needs both: the server reports ready before the controller that makes the system namespaces has run.
func (c *ControlPlane) ready(ctx context.Context) error {
	client := c.Client(Admin)
	if err := client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error(); err != nil {
		return err
	}
	_, err := client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
	return err
}

func (c *ControlPlane) apiServerArgs() []string {
	args := []string{
		"--etcd-servers=" + c.clientPort.url("http"),
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(c.apiPort.number),
		"--permit-port-sharing", // see port
		"--cert-dir=" + c.dir,
		"--tls-cert-file=" + c.path("kube-apiserver.crt"),
		"--tls-private-key-file=" + c.path("kube-apiserver.key"),
		"--token-auth-file=" + c.path(tokensFile),
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.path(accountsKey),
		"--service-account-signing-key-file=" + c.path(accountsKey),
		"--endpoint-reconciler-type=none", // nobody needs the address of a loopback server
		"--enable-priority-and-fairness=false",
		"--max-requests-inflight=0", // no limit: what is tested must be the only brake
		"--max-mutating-requests-inflight=0",
		"--shutdown-watch-termination-grace-period=1s", // else open watches hold up its end for a minute
		"-v=" + strconv.Itoa(c.opts.Verbosity),
	}
	if c.opts.Audit {
		args = append(args, auditFlags(c.dir)...)
	}
	args = append(args, c.opts.admissionFlags()...)
	args = append(args, c.opts.featureFlags()...)
	return append(args, c.opts.APIServerArgs...)
}
