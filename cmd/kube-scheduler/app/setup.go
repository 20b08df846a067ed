package app

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"time"

	apiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/scheduler"
)

// grace is how long a stop waits for binds that are out.
const grace = 5 * time.Second

// setup is what stands between the flags and a scheduler that can run. Each step fills
// in what the next ones need.
type setup struct {
	*options

	config    config.Config
	serving   *apiserver.SecureServingInfo // certificates and TLS; nil with --secure-port=0
	client    *rest.Config
	scheduler *scheduler.Scheduler
}

// start goes through the steps until one fails.
func (s *setup) start() error {
	for _, step := range []func() error{
		s.options.validate, // the flags by themselves
		s.makeCertificate,  // if we serve and have none
		s.configure,        // the file and the flags together
		s.connect,          // address and credentials of the API server; no call yet
		s.loadServing,      // certificates, ciphers, TLS versions
		s.applyMetrics,     // which metrics are hidden, off, or limited
		s.config.Complete,  // what extenders and plugins add
		s.build,            // plugins, profiles, the scheduler
		s.logConfiguration, // as it is now
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (s *setup) makeCertificate() error {
	err := s.options.serving.MaybeDefaultWithSelfSignedCerts("localhost", nil, []net.IP{net.ParseIP("127.0.0.1")})
	if err != nil {
		return fmt.Errorf("error creating self-signed certificates: %w", err)
	}
	return nil
}

func (s *setup) configure() (err error) {
	s.config, err = s.options.configure()
	return err
}

func (s *setup) connect() error {
	c := &s.config.ClientConnection
	client, err := clientcmd.BuildConfigFromFlags(s.master, c.Kubeconfig)
	if err != nil {
		return err
	}
	client.DisableCompression = true // answers come from nearby
	client.AcceptContentTypes, client.ContentType = c.AcceptContentTypes, c.ContentType
	client.QPS, client.Burst = c.QPS, int(c.Burst)
	s.client = rest.AddUserAgent(client, "scheduler")
	return nil
}

// loadServing reads what the secure port needs. The port is not opened, as nothing is
// served there yet.
func (s *setup) loadServing() error {
	if s.options.serving.BindPort == 0 {
		return nil
	}
	s.options.serving.Listener = closedPort{IP: s.options.serving.BindAddress, Port: s.options.serving.BindPort}
	return s.options.serving.ApplyTo(&s.serving)
}

// closedPort is a listener that knows its address and listens to nobody.
type closedPort net.TCPAddr

func (closedPort) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (closedPort) Close() error              { return nil }

// Addr returns the address.
func (p closedPort) Addr() net.Addr { a := net.TCPAddr(p); return &a }

func (s *setup) applyMetrics() error {
	m := &s.metrics.MetricsConfiguration
	if m.ShowHiddenMetricsForVersion != "" || len(m.DisabledMetrics) > 0 || len(m.AllowListMapping) > 0 || m.AllowListMappingManifest != "" {
		s.metrics.Apply() // else it would complain that there is nothing to read
	}
	return nil
}

func (s *setup) build() error {
	client, err := kubernetes.NewForConfig(s.client)
	if err != nil {
		return err
	}
	s.scheduler, err = scheduler.New(s.config, scheduler.Deps{
		Client:    client,
		Seed:      rand.Uint64(),
		Observers: []scheduler.Observer{scheduler.NewLog()},
		Grace:     grace,
	})
	return err
}

func (s *setup) logConfiguration() error {
	if !klog.V(2).Enabled() {
		return nil
	}
	text, err := s.config.Encode()
	if err != nil {
		return err
	}
	klog.V(2).InfoS("Using component config", "config", string(text))
	return nil
}

// write writes the configuration to a file.
func (s *setup) write(path string) error {
	text, err := s.config.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return err
	}
	klog.InfoS("Wrote configuration", "file", path)
	return nil
}
