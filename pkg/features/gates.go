package features

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-base/compatibility"
	"k8s.io/component-base/featuregate"
	baseversion "k8s.io/component-base/version"
)

// Gates is what one command was told about features. Make one with New.
type Gates struct {
	registry compatibility.ComponentGlobalsRegistry
	gate     featuregate.MutableVersionedFeatureGate
}

// emulated is how many minor versions back can be emulated.
const emulated = 3

// New returns gates that are as by default.
func New() *Gates {
	binary, stamped := binaryVersion()
	floor := binary.WithPatch(0).SubtractMinor(emulated)
	g := &Gates{
		registry: compatibility.NewComponentGlobalsRegistry(),
		gate:     featuregate.NewVersionedFeatureGate(version.MajorMinor(binary.Major(), binary.Minor())),
	}
	must(g.gate.AddVersioned(known()))
	must(g.gate.AddDependencies(dependencies()))
	must(g.registry.Register(compatibility.DefaultKubeComponent, compatibility.NewEffectiveVersion(binary, stamped, floor, floor), g.gate))
	return g
}

// binaryVersion is the version that the linker stamped, else the one that the libraries
// belong to.
func binaryVersion() (v *version.Version, stamped bool) {
	if v = version.MustParse(baseversion.Get().String()); v.Major() != 0 || v.Minor() != 0 {
		return v, true
	}
	return version.MustParse(baseversion.DefaultKubeBinaryVersion), false
}

func rows() []row { return slices.Concat(here, elsewhere) }

func known() map[featuregate.Feature]featuregate.VersionedSpecs {
	all := map[featuregate.Feature]featuregate.VersionedSpecs{}
	for _, r := range rows() {
		life, err := specs(r.life)
		must(err)
		all[featuregate.Feature(r.name)] = life
	}
	return all
}

func dependencies() map[featuregate.Feature][]featuregate.Feature {
	all := map[featuregate.Feature][]featuregate.Feature{}
	for _, r := range rows() {
		for _, need := range strings.Fields(r.needs) {
			all[featuregate.Feature(r.name)] = append(all[featuregate.Feature(r.name)], featuregate.Feature(need))
		}
	}
	return all
}

// must is for what the table decides alone.
func must(err error) {
	if err != nil {
		panic("BUG: features: " + err.Error())
	}
}

// AddFlags adds --feature-gates, --emulated-version and --min-compatibility-version.
func (g *Gates) AddFlags(fs *pflag.FlagSet) { g.registry.AddFlags(fs) }

// Set applies the flags: the versions first, as they change what is on by default. A
// gate that is on although it should be off and its feature is missing is an error.
func (g *Gates) Set() error {
	if err := g.registry.Set(); err != nil {
		return err
	}
	specs := g.gate.GetAll()
	var errs []error
	for _, r := range rows() {
		name := featuregate.Feature(r.name)
		if r.lacks != "" && g.gate.Enabled(name) && !specs[name].Default {
			errs = append(errs, fmt.Errorf("feature gate %s cannot be turned on: this version does not have %s", r.name, r.lacks))
		}
	}
	return utilerrors.NewAggregate(errs)
}

// Validate returns what is wrong with the versions and the gates together.
func (g *Gates) Validate() []error { return g.registry.Validate() }

// Enabled tells whether a gate is on. It must be one of the table.
func (g *Gates) Enabled(f featuregate.Feature) bool { return g.gate.Enabled(f) }

// Known tells whether there is a gate of that name.
func (g *Gates) Known(f featuregate.Feature) bool {
	_, known := g.gate.GetAllVersioned()[f]
	return known
}

// Explicit tells whether a gate was set by its own name.
func (g *Gates) Explicit(f featuregate.Feature) bool { return g.gate.ExplicitlySet(f) }

// Version is the version that is emulated, and what goes with it.
func (g *Gates) Version() compatibility.EffectiveVersion {
	return g.registry.EffectiveVersionFor(compatibility.DefaultKubeComponent)
}

// Record shows gates and version among the process's metrics.
func (g *Gates) Record() {
	g.gate.AddMetrics()
	g.registry.AddMetrics()
}

// Gate returns the gates in the form that libraries ask for.
func (g *Gates) Gate() featuregate.FeatureGate { return g.gate }
