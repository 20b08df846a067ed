package controlplane

import (
	"slices"
	"strings"
	"testing"
)

func TestAdmissionFlagsNeverNameAPluginTwice(t *testing.T) {
	f := func(o Options, want string) {
		t.Helper()
		if got := strings.Join(o.admissionFlags(), " "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	f(Options{}, "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")
	f(Options{DisableAdmission: []string{"Priority"}},
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,Priority")
	f(Options{EnableAdmission: []string{"PodNodeSelector", "TaintNodesByCondition"}},
		"--disable-admission-plugins=ServiceAccount --enable-admission-plugins=PodNodeSelector,TaintNodesByCondition")
	f(Options{EnableAdmission: []string{"ServiceAccount", "TaintNodesByCondition"}},
		"--enable-admission-plugins=ServiceAccount,TaintNodesByCondition")
}

func TestFeatureFlagsHaveAFixedOrder(t *testing.T) {
	o := Options{FeatureGates: map[string]bool{"B": false, "A": true}, APIs: []string{"scheduling.k8s.io/v1beta1"}}
	want := []string{
		"--feature-gates=A=true",
		"--feature-gates=B=false",
		"--runtime-config=scheduling.k8s.io/v1beta1=true",
	}
	if got := o.featureFlags(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestUserNamesAreDistinct(t *testing.T) {
	f := func(valid bool, names ...string) {
		t.Helper()
		var o Options
		for _, name := range names {
			o.Users = append(o.Users, User{Name: name})
		}
		if err := o.validate(); (err == nil) != valid {
			t.Errorf("got error %v for users %q, want valid=%v", err, names, valid)
		}
	}
	f(true)
	f(true, "a", "b")
	f(false, "a", "a")
	f(false, Scheduler)
	f(false, "")
}
