package features

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"k8s.io/component-base/featuregate"
)

// told returns gates after a command line.
func told(t *testing.T, args ...string) (*Gates, error) {
	t.Helper()
	g, fs := New(), pflag.NewFlagSet("test", pflag.ContinueOnError)
	g.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return g, g.Set()
}

func TestGatesFollowTheirFlags(t *testing.T) {
	f := func(name featuregate.Feature, want bool, args ...string) {
		t.Helper()
		g, err := told(t, args...)
		if err != nil {
			t.Error(err)
		}
		if got := g.Enabled(name); got != want {
			t.Errorf("%v: %s is %v, want %v", args, name, got, want)
		}
	}
	f(StorageCapacityScoring, true)
	f(StorageCapacityScoring, false, "--feature-gates=StorageCapacityScoring=false")
	f(StorageCapacityScoring, false, "--feature-gates=kube:StorageCapacityScoring=false")
	f(StorageCapacityScoring, false, "--feature-gates=WatchListClient=false", "--feature-gates=StorageCapacityScoring=false")
	f(StorageCapacityScoring, false, "--feature-gates=AllBeta=false")
	f(StorageCapacityScoring, true, "--feature-gates=AllBeta=false,StorageCapacityScoring=true")
	f(StorageCapacityScoring, false, "--emulated-version=1.36")
	f(NodeDeclaredFeatures, true, "--emulated-version=kube=1.36")
	f(NodeDeclaredFeatures, false, "--emulated-version=1.35")
	f(NodeDeclaredFeatures, false, "--emulated-version=1.34") // it was not there
	f(TaintTolerationComparisonOperators, true, "--feature-gates=TaintTolerationComparisonOperators=true")
	f("SchedulerAsyncAPICalls", true, "--feature-gates=SchedulerAsyncAPICalls=true")
	f("SchedulerAsyncPreemption", false, "--feature-gates=SchedulerAsyncPreemption=false")
	f("DRAFractionalCapacityRange", false)
	f("DRAFractionalCapacityRange", true, "--min-compatibility-version=1.37") // nobody turned it on
}

func TestBadGatesAreRefused(t *testing.T) {
	f := func(want string, args ...string) {
		t.Helper()
		g, err := told(t, args...)
		if err == nil {
			for _, e := range g.Validate() {
				err = e
				break
			}
		}
		if err == nil || err.Error() != want {
			t.Errorf("%v: got %v, want %s", args, err, want)
		}
	}
	f("unrecognized feature gate: Nope", "--feature-gates=Nope=true")
	f("missing bool value for GenericWorkload", "--feature-gates=GenericWorkload")
	f(`invalid value of GenericWorkload=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax`, "--feature-gates=GenericWorkload=maybe")
	f("cannot set feature gate DynamicResourceAllocation to false, feature is locked to true", "--feature-gates=DynamicResourceAllocation=false")
	f("CompositePodGroup is enabled, but depends on features that are disabled: [GenericWorkload TopologyAwareWorkloadScheduling]",
		"--feature-gates=CompositePodGroup=true")
	f("set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use",
		"--feature-gates=kube:StorageCapacityScoring=true", "--feature-gates=kube:StorageCapacityScoring=true,WatchListClient=true")
	f("component not registered: foo", "--feature-gates=foo:A=true")
	f("component not registered: foo", "--emulated-version=foo=1.36")
	f("patch version not allowed, got: kube=1.37.2", "--emulated-version=1.37.2")
	f("emulation version 1.38 is not between [1.34, 1.37.0]", "--emulated-version=1.38")
	f("minCompatibilityVersion version 1.33 is not between [1.34, 1.37]", "--min-compatibility-version=1.33")
	f("cannot set feature gate GenericWorkload to true, feature is PreAlpha at emulated version 1.34, min compatibility version 1.34",
		"--emulated-version=1.34", "--feature-gates=GenericWorkload=true")
}

func TestMissingFeatureCannotBeTurnedOn(t *testing.T) {
	f := func(want string, gates string) {
		t.Helper()
		_, err := told(t, "--feature-gates="+gates)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", gates, err, want)
		}
	}
	f("feature gate GenericWorkload cannot be turned on: this version does not have pod groups", "GenericWorkload=true")
	_, err := told(t, "--feature-gates=AllAlpha=true,AllBeta=true")
	for _, r := range here {
		if r.lacks != "" && !strings.Contains(err.Error(), r.name) {
			t.Errorf("the group switches turn %s on unnoticed: %v", r.name, err)
		}
	}
}

func TestCommandsDoNotShareGates(t *testing.T) {
	a, err := told(t, "--feature-gates=StorageCapacityScoring=false")
	if err != nil {
		t.Fatal(err)
	}
	if b := New(); a.Enabled(StorageCapacityScoring) || !b.Enabled(StorageCapacityScoring) {
		t.Error("a gate that one command turned off is off for another")
	}
}
