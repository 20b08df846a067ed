package config

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	componentbaseconfig "k8s.io/component-base/config"
	"k8s.io/component-base/config/v1alpha1"
	"k8s.io/component-base/config/validation"
	"k8s.io/utils/ptr"
)

// leases is the one kind of lock that there is.
const leases = "leases"

// Validate says everything that is wrong with the configuration, in the order of
// kube-scheduler.
func (c *Config) Validate() error {
	errs := validateClientConnection(&c.ClientConnection, field.NewPath("clientConnection"))
	election := c.Election()
	errs = append(errs, validateLeaderElection(&election, field.NewPath("leaderElection"))...)
	if *c.Parallelism <= 0 {
		errs = append(errs, field.Invalid(field.NewPath("parallelism"), *c.Parallelism, "should be an integer value greater than zero"))
	}
	errs = append(errs, c.validateProfiles(field.NewPath("profiles"))...)
	errs = append(errs, validatePercentage(field.NewPath("percentageOfNodesToScore"), c.PercentageOfNodesToScore)...)
	if *c.PodInitialBackoffSeconds <= 0 {
		errs = append(errs, field.Invalid(field.NewPath("podInitialBackoffSeconds"), *c.PodInitialBackoffSeconds, "must be greater than 0"))
	}
	if *c.PodMaxBackoffSeconds < *c.PodInitialBackoffSeconds {
		errs = append(errs, field.Invalid(field.NewPath("podMaxBackoffSeconds"), *c.PodMaxBackoffSeconds,
			"must be greater than or equal to PodInitialBackoffSeconds"))
	}
	errs = append(errs, validateExtenders(field.NewPath("extenders"), c.Extenders)...)
	return errs.ToAggregate()
}

func validateClientConnection(c *v1alpha1.ClientConnectionConfiguration, path *field.Path) field.ErrorList {
	var internal componentbaseconfig.ClientConnectionConfiguration
	must(v1alpha1.Convert_v1alpha1_ClientConnectionConfiguration_To_config_ClientConnectionConfiguration(c, &internal, nil))
	return validation.ValidateClientConnectionConfiguration(&internal, path)
}

func validateLeaderElection(l *componentbaseconfig.LeaderElectionConfiguration, path *field.Path) field.ErrorList {
	errs := validation.ValidateLeaderElectionConfiguration(l, path)
	if l.LeaderElect && l.ResourceLock != leases {
		errs = append(errs, field.Invalid(path.Child("resourceLock"), l.ResourceLock, fmt.Sprintf("resourceLock value must be %q", leases)))
	}
	return errs
}

// must is for conversions within one library, which cannot fail.
func must(err error) {
	if err != nil {
		panic("BUG: config: " + err.Error())
	}
}

func validatePercentage(path *field.Path, pct *int32) field.ErrorList {
	if p := ptr.Deref(pct, 0); p < 0 || p > 100 {
		return field.ErrorList{field.Invalid(path, p, "not in valid range [0-100]")}
	}
	return nil
}
