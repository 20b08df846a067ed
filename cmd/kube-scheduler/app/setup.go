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
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	metricsfeatures "k8s.io/component-base/metrics/features"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/kube"
	"github.com/berth-scheduler/berth/pkg/metrics"
	"github.com/berth-scheduler/berth/pkg/scheduler"
	"github.com/berth-scheduler/berth/pkg/server"
)

// grace is how long a stop waits for binds that are out, and for requests on our port.
const grace = 5 * time.Second

// setup is what stands between the flags and a scheduler that can run. Each step fills
// in what the next ones need.
type setup struct {
	*options

	config    config.Config
	client    *rest.Config
	serving   *apiserver.SecureServingInfo // certificates and TLS; nil with --secure-port=0
	access    server.Access
	watchdog  *leaderelection.HealthzAdaptor // of the lease; nil without leader election
	recorder  *metrics.Recorder
	scheduler *scheduler.Scheduler
	election  *kube.Election      // nil without leader election
	informers *cache.InformerName // for metrics; nil if another in this process has it
}

// start goes through the steps until one fails.
func (s *setup) start() error {
	for _, step := range []func() error{
		s.options.validate, // the flags by themselves
		s.makeCertificate,  // if we serve and have none
		s.configure,        // the file and the flags together
		s.connect,          // address and credentials of the API server; no call yet
		s.openPort,         // certificates, ciphers, TLS versions
		s.loadAccess,       // who is asked about those who ask us
		s.applyMetrics,     // which metrics are hidden, off, or limited
		s.config.Complete,  // what extenders and plugins add
		s.joinElection,     // whether and how a leader is elected
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

// applyMetrics comes after loadAccess, whose metrics must not be told of native histograms:
// they name no buckets, and would have none.
func (s *setup) applyMetrics() error {
	metricsfeatures.ApplyFeatureGates(s.gates.Gate())
	m := &s.options.metrics.MetricsConfiguration
	if m.ShowHiddenMetricsForVersion != "" || len(m.DisabledMetrics) > 0 || len(m.AllowListMapping) > 0 || m.AllowListMappingManifest != "" {
		s.options.metrics.Apply() // else it would complain that there is nothing to read
	}
	return nil
}

func (s *setup) build() error {
	metrics.Register()
	s.config.Gates.Record()
	s.recorder = metrics.NewRecorder()
	client, err := kubernetes.NewForConfig(s.worker())
	if err != nil {
		return err
	}
	if s.informers, err = cache.NewInformerName(name); err != nil {
		klog.InfoS("Metrics about informers are those of another component of this process", "name", name)
	}
	s.scheduler, err = scheduler.New(s.config, scheduler.Deps{
		Client:       client,
		InformerName: s.informers,
		Seed:         rand.Uint64(),
		Observers:    []scheduler.Observer{scheduler.NewLog(), s.recorder},
		Publish:      s.recorder.Publish,
		Probe:        func(profile string) runtime.Probe { return metrics.NewProbe(profile) },
		HintProbe:    metrics.NewHintProbe(),
		Grace:        grace,
		Election:     s.election,
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
