package app

import (
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-scheduler/berth/pkg/config"
)

// configure returns the configuration that the flags and the file ask for.
func (o *options) configure() (config.Config, error) {
	c, err := o.base()
	if err != nil {
		return c, err
	}
	o.overlayElection(&c)
	c.UnschedulableTimeout = o.deprecated.unschedulableTimeout
	// Without a file too: what kube-scheduler lets pass here fails later, when it wants
	// to lead.
	return c, c.Validate()
}

// base is the file, or the default configuration with the flags that stand in for one.
func (o *options) base() (config.Config, error) {
	if o.configFile == "" {
		c := config.For(o.gates)
		o.overlayDeprecated(&c)
		return c, nil
	}
	text, err := os.ReadFile(o.configFile)
	if err != nil {
		return config.Config{}, err
	}
	c, err := config.Load(text, o.gates)
	if c.ClientConnection.Kubeconfig == "" {
		c.ClientConnection.Kubeconfig = o.deprecated.kubeconfig
	}
	return c, err
}

// overlayDeprecated brings the deprecated flags in that are on the command line.
func (o *options) overlayDeprecated(c *config.Config) {
	d := &o.deprecated
	for flag, set := range map[string]func(){
		"profiling":             func() { c.EnableProfiling = ptr.To(d.profiling) },
		"contention-profiling":  func() { c.EnableContentionProfiling = ptr.To(d.contentionProfiling) },
		"kubeconfig":            func() { c.ClientConnection.Kubeconfig = d.kubeconfig },
		"kube-api-content-type": func() { c.ClientConnection.ContentType = d.contentType },
		"kube-api-qps":          func() { c.ClientConnection.QPS = d.qps },
		"kube-api-burst":        func() { c.ClientConnection.Burst = d.burst },
	} {
		if o.explicit(flag) {
			set()
		}
	}
}

// overlayElection brings the leader election flags in that are on the command line. They
// go before a file.
func (o *options) overlayElection(c *config.Config) {
	l, f := &c.LeaderElection, &o.election
	for flag, set := range map[string]func(){
		"leader-elect":                    func() { l.LeaderElect = ptr.To(f.LeaderElect) },
		"leader-elect-lease-duration":     func() { l.LeaseDuration = metav1.Duration{Duration: f.LeaseDuration.Duration} },
		"leader-elect-renew-deadline":     func() { l.RenewDeadline = metav1.Duration{Duration: f.RenewDeadline.Duration} },
		"leader-elect-retry-period":       func() { l.RetryPeriod = metav1.Duration{Duration: f.RetryPeriod.Duration} },
		"leader-elect-resource-lock":      func() { l.ResourceLock = f.ResourceLock },
		"leader-elect-resource-name":      func() { l.ResourceName = f.ResourceName },
		"leader-elect-resource-namespace": func() { l.ResourceNamespace = f.ResourceNamespace },
	} {
		if o.explicit(flag) {
			set()
		}
	}
}
