package features

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/version"
	_ "k8s.io/apiserver/pkg/features" // registers the API server library's gates, and those of its pages
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/component-base/featuregate"
	logsapi "k8s.io/component-base/logs/api/v1"
	metricsfeatures "k8s.io/component-base/metrics/features"
)

func TestAllGatesOfUpstreamAreKnown(t *testing.T) {
	const upstream, ours = 253, 1
	if got := len(New().gate.GetAll()); got != upstream+ours {
		t.Errorf("%d gates, want %d of upstream and %d of ours", got, upstream, ours)
	}
}

func TestRowsAreInOrderAndSayWhatTheySwitch(t *testing.T) {
	for _, table := range [][]row{here, elsewhere} {
		if !slices.IsSortedFunc(table, func(a, b row) int { return strings.Compare(a.name, b.name) }) {
			t.Error("the rows are not sorted by name")
		}
	}
	for _, r := range here {
		if (r.does == "") == (r.lacks == "") {
			t.Errorf("%s says that it does %q and lacks %q, want one of them", r.name, r.does, r.lacks)
		}
		if all, err := specs(r.life); r.lacks != "" && (err != nil || all[0].Default) {
			t.Errorf("%s is on by default (%v) although its feature is missing", r.name, err)
		}
	}
	for _, r := range elsewhere {
		if r.does != "" || r.lacks != "" {
			t.Errorf("%s switches something here", r.name)
		}
	}
}

func TestLivesAreRead(t *testing.T) {
	f := func(life, want string) {
		t.Helper()
		all, err := specs(life)
		var got []string
		for _, s := range all {
			text := s.Version.String() + " "
			if s.MinCompatibilityVersion != nil {
				text += "from " + s.MinCompatibilityVersion.String() + " "
			}
			text += string(s.PreRelease)
			if s.Default {
				text += " on"
			}
			if s.LockToDefault {
				text += " for ever"
			}
			got = append(got, text)
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%q is read as %q, want %q", life, text, want)
		}
	}
	f("beta on", "1.0 BETA on")
	f("alpha off, 1.36 beta off, 1.36/1.36 beta on, 1.37 GA on locked", "1.0 ALPHA; 1.36 BETA; 1.36 from 1.36 BETA on; 1.37  on for ever")
	f("1.35 deprecated off locked", "1.35 DEPRECATED for ever")
	f("beta on, GA on", `stage "GA on" has no version`)
	f("gamma on", `unknown stage "gamma"`)
	f("beta maybe", `a gate is on or off, not "maybe"`)
	f("beta", `stage ["beta"] is not made of stage, on or off, and maybe locked`)
	f("beta on forever", `stage ["beta" "on" "forever"] is not made of stage, on or off, and maybe locked`)
	f("1.x beta on", `illegal version string "1.x"`)
}

// libraries collects what the libraries say about their own gates.
func libraries(t *testing.T) featuregate.MutableVersionedFeatureGate {
	t.Helper()
	all := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	for _, err := range []error{
		logsapi.AddFeatureGates(all), metricsfeatures.AddFeatureGates(all), clientfeatures.AddVersionedFeaturesToExistingFeatureGates(clientGates{all}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// clientGates takes client-go's gates, which have types of their own.
type clientGates struct {
	to featuregate.MutableVersionedFeatureGate
}

func (c clientGates) AddVersioned(in map[clientfeatures.Feature]clientfeatures.VersionedSpecs) error {
	out := map[featuregate.Feature]featuregate.VersionedSpecs{}
	for name, all := range in {
		for _, s := range all {
			spec := featuregate.FeatureSpec{Default: s.Default, LockToDefault: s.LockToDefault, Version: s.Version, PreRelease: featuregate.Alpha}
			switch s.PreRelease {
			case clientfeatures.Beta:
				spec.PreRelease = featuregate.Beta
			case clientfeatures.GA:
				spec.PreRelease = featuregate.GA
			case clientfeatures.Deprecated:
				spec.PreRelease = featuregate.Deprecated
			}
			out[featuregate.Feature(name)] = append(out[featuregate.Feature(name)], spec)
		}
	}
	return c.to.AddVersioned(out)
}

func TestTableAgreesWithTheLibraries(t *testing.T) {
	theirs, ours := libraries(t), New().gate
	for minor := uint(34); minor <= 37; minor++ {
		v := version.MajorMinor(1, minor)
		for _, g := range []featuregate.MutableVersionedFeatureGate{theirs, ours} {
			if err := g.SetEmulationVersion(v); err != nil {
				t.Fatal(err)
			}
		}
		table := ours.GetAll()
		for name, want := range theirs.GetAll() {
			got, known := table[name]
			if !known || got.Default != want.Default || got.PreRelease != want.PreRelease || got.LockToDefault != want.LockToDefault {
				t.Errorf("%s at %s is %s, default %v, locked %v; want %s, %v, %v",
					name, v, got.PreRelease, got.Default, got.LockToDefault, want.PreRelease, want.Default, want.LockToDefault)
			}
		}
	}
}
