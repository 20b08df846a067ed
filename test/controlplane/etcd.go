package controlplane

import (
	"context"
	"fmt"
	"net/http"

	"github.com/berth-scheduler/berth/test/controlplane/child"
)

const etcdDir = "etcd"

// startEtcd starts the store and returns when it is ready.
func (c *ControlPlane) startEtcd(ctx context.Context) error {
	client, peer := c.clientPort.url("http"), c.peerPort.url("http")
	args := []string{
		"--data-dir=" + c.path(etcdDir),
		"--listen-client-urls=" + client,
		"--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=default=" + peer,
		"--socket-reuse-port",              // see port
		"--quota-backend-bytes=8589934592", // the default of 2 GiB ends large benchmarks
		"--log-level=warn",
	}
	if !c.opts.Fsync {
		args = append(args, "--unsafe-no-fsync")
	}
	c.etcd = &child.Process{Log: c.path("etcd.log"), Lost: c.lose}
	if err := c.etcd.Start(c.etcdPath, args...); err != nil {
		return err
	}
	return c.WaitFor(ctx, "etcd to be ready", func(ctx context.Context) error { return expectOK(ctx, client+"/readyz") })
}

// expectOK fetches a page without credentials.
func expectOK(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}
