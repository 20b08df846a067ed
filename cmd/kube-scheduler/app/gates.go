package app

import (
	"fmt"

	_ "k8s.io/apiserver/pkg/features" // registers the API server library's gates
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/component-base/featuregate"

	"github.com/berth-scheduler/berth/pkg/features"
)

// setGates applies the flags about features, and hands on to libraries what is theirs.
func (o *options) setGates() error {
	process.Lock()
	defer process.Unlock()
	if err := o.gates.Set(); err != nil {
		return err
	}
	if len(o.gates.Validate()) > 0 {
		return nil // a version that cannot be emulated: told later, with what else is wrong
	}
	told := told{o.gates, features.New()}
	if err := told.toServer(utilfeature.DefaultMutableFeatureGate); err != nil {
		return fmt.Errorf("cannot set feature gates of the API server library: %w", err)
	}
	if err := told.toClient(clientfeatures.FeatureGates()); err != nil {
		return fmt.Errorf("cannot set feature gates of the client library: %w", err)
	}
	return nil
}

// told is what a command line says about gates. Libraries keep theirs once per process,
// and others may live in it: what nobody asked for is left as it is.
type told struct{ gates, defaults *features.Gates }

// asked tells whether somebody named a gate, or made it other than by default.
func (t told) asked(f featuregate.Feature) bool {
	return t.gates.Explicit(f) || t.gates.Enabled(f) != t.defaults.Enabled(f)
}

// toServer sets gates of the API server library, except those that are locked there.
func (t told) toServer(to featuregate.MutableFeatureGate) error {
	change := map[string]bool{}
	for f, spec := range to.GetAll() {
		if t.gates.Known(f) && !spec.LockToDefault && t.asked(f) {
			change[string(f)] = t.gates.Enabled(f)
		}
	}
	return to.SetFromMap(change)
}

// settable is client-go's own set of gates. Who put another in its place looks after it
// himself.
type settable interface {
	Set(clientfeatures.Feature, bool) error
}

func (t told) toClient(to clientfeatures.Gates) error {
	own, ok := to.(settable)
	if !ok {
		return nil
	}
	var client clientGates
	if err := clientfeatures.AddVersionedFeaturesToExistingFeatureGates(&client); err != nil {
		return err
	}
	for f, life := range client {
		name := featuregate.Feature(f)
		if !t.gates.Known(name) || !t.asked(name) || life[len(life)-1].LockToDefault {
			continue
		}
		if err := own.Set(f, t.gates.Enabled(name)); err != nil {
			return err
		}
	}
	return nil
}

// clientGates collects the gates that client-go has.
type clientGates map[clientfeatures.Feature]clientfeatures.VersionedSpecs

// AddVersioned takes them.
func (c *clientGates) AddVersioned(in map[clientfeatures.Feature]clientfeatures.VersionedSpecs) error {
	*c = in
	return nil
}
