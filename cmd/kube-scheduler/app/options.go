package app

import (
	"os"
	"time"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	apiserver "k8s.io/apiserver/pkg/server/options"
	cliflag "k8s.io/component-base/cli/flag"
	componentbaseconfig "k8s.io/component-base/config"
	leaderelection "k8s.io/component-base/config/options"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/component-base/metrics"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/features"
)

const securePort = 10259

// options are what flags set.
type options struct {
	configFile string
	writeTo    string
	master     string

	serving        *apiserver.SecureServingOptions
	authentication *apiserver.DelegatingAuthenticationOptions
	authorization  *apiserver.DelegatingAuthorizationOptions
	deprecated     deprecated
	election       componentbaseconfig.LeaderElectionConfiguration
	gates          *features.Gates
	metrics        *metrics.Options
	logs           *logs.Options

	shown  cliflag.NamedFlagSets // on /flagz
	dumpOn <-chan os.Signal      // nil: never

	// explicit tells whether a flag is on the command line.
	explicit func(flag string) bool
}

func newOptions() *options {
	o := &options{
		serving:        apiserver.NewSecureServingOptions(),
		authentication: apiserver.NewDelegatingAuthenticationOptions(),
		authorization:  apiserver.NewDelegatingAuthorizationOptions(),
		gates:          features.New(),
		metrics:        metrics.NewOptions(),
		logs:           logs.NewOptions(),
	}
	defaults := config.For(o.gates)
	o.deprecated = newDeprecated(&defaults)
	o.election = defaults.Election()
	// Without a certificate, one is made in memory; without a kubeconfig, nobody is asked.
	o.serving.ServerCert.CertDirectory, o.serving.ServerCert.PairName = "", name
	o.serving.BindPort = securePort
	o.authentication.TolerateInClusterLookupFailure = true
	o.authentication.RemoteKubeConfigFileOptional = true
	o.authorization.RemoteKubeConfigFileOptional = true
	return o
}

// flags returns the flags by section, as --help shows them.
func (o *options) flags() cliflag.NamedFlagSets {
	all := cliflag.NamedFlagSets{NormalizeNameFunc: cliflag.WordSepNormalizeFunc}
	misc := all.FlagSet("misc")
	misc.StringVar(&o.configFile, "config", o.configFile, "Path of the configuration file.")
	misc.StringVar(&o.writeTo, "write-config-to", o.writeTo, "Path of a file to write the complete configuration to, and exit.")
	misc.StringVar(&o.master, "master", o.master, "Address of the API server. It goes before the one in any kubeconfig.")
	o.serving.AddFlags(all.FlagSet("secure serving"))
	o.authentication.AddFlags(all.FlagSet("authentication"))
	o.authorization.AddFlags(all.FlagSet("authorization"))
	o.deprecated.addFlags(all.FlagSet("deprecated"))
	leaderelection.BindLeaderElectionFlags(&o.election, all.FlagSet("leader election"))
	o.gates.AddFlags(all.FlagSet("feature gate"))
	o.metrics.AddFlags(all.FlagSet("metrics"))
	logsapi.AddFlags(o.logs, all.FlagSet("logs"))
	o.explicit = func(flag string) bool {
		for _, fs := range all.FlagSets {
			if fs.Changed(flag) {
				return true
			}
		}
		return false
	}
	return all
}

// validate checks all that can be checked before a file is read.
func (o *options) validate() error {
	errs := o.gates.Validate()
	errs = append(errs, o.serving.Validate()...)
	errs = append(errs, o.authentication.Validate()...)
	errs = append(errs, o.authorization.Validate()...)
	errs = append(errs, o.metrics.Validate()...)
	return utilerrors.NewAggregate(errs)
}

// deprecated are the flags that a configuration file took over, and one that has no
// other place.
type deprecated struct {
	profiling            bool
	contentionProfiling  bool
	kubeconfig           string
	contentType          string
	qps                  float32
	burst                int32
	unschedulableTimeout time.Duration
}

func newDeprecated(c *config.Config) deprecated {
	return deprecated{
		profiling:            *c.EnableProfiling,
		contentionProfiling:  *c.EnableContentionProfiling,
		kubeconfig:           c.ClientConnection.Kubeconfig,
		contentType:          c.ClientConnection.ContentType,
		qps:                  c.ClientConnection.QPS,
		burst:                c.ClientConnection.Burst,
		unschedulableTimeout: c.UnschedulableTimeout,
	}
}

func (d *deprecated) addFlags(fs *pflag.FlagSet) {
	const ignored = " With --config, the file counts instead."
	fs.BoolVar(&d.profiling, "profiling", d.profiling, "DEPRECATED: serve profiles on /debug/pprof/."+ignored)
	fs.BoolVar(&d.contentionProfiling, "contention-profiling", d.contentionProfiling, "DEPRECATED: profile what goroutines block on, if profiles are served."+ignored)
	fs.StringVar(&d.kubeconfig, "kubeconfig", d.kubeconfig,
		"DEPRECATED: path of the kubeconfig with the API server's address and our credentials. A file given with --config counts instead if it names a kubeconfig.")
	fs.StringVar(&d.contentType, "kube-api-content-type", d.contentType, "DEPRECATED: content type of requests to the API server."+ignored)
	fs.Float32Var(&d.qps, "kube-api-qps", d.qps, "DEPRECATED: requests to the API server a second; negative means no limit."+ignored)
	fs.Int32Var(&d.burst, "kube-api-burst", d.burst, "DEPRECATED: requests to the API server in a burst."+ignored)
	fs.DurationVar(&d.unschedulableTimeout, "pod-max-in-unschedulable-pods-duration", d.unschedulableTimeout,
		"DEPRECATED: the longest time that a pod which fits nowhere waits for something to change before it is tried again.")
}
