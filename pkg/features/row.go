package features

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-base/featuregate"
)

// row is a gate.
type row struct {
	name string

	// life is the stages that the gate goes through, such as
	//
	//	alpha off, 1.36 beta on, 1.37 GA on locked
	//
	// A stage without a version was there before the first one that can be emulated. A
	// second version behind a slash is the least --min-compatibility-version.
	life string

	needs string // gates that must be on as well
	does  string // the step or argument that it switches
	lacks string // the feature that is not there, for which it must not be turned on
}

// specs reads a life.
func specs(life string) (featuregate.VersionedSpecs, error) {
	var all featuregate.VersionedSpecs
	for i, text := range strings.Split(life, ", ") {
		words := strings.Fields(text)
		since := version.MajorMinor(1, 0)
		var least *version.Version
		if len(words) > 0 && '0' <= words[0][0] && words[0][0] <= '9' {
			var err error
			if since, least, err = versions(words[0]); err != nil {
				return nil, err
			}
			words = words[1:]
		} else if i > 0 {
			return nil, fmt.Errorf("stage %q has no version", text)
		}
		spec, err := stage(words)
		if err != nil {
			return nil, err
		}
		spec.Version, spec.MinCompatibilityVersion = since, least
		all = append(all, spec)
	}
	return all, nil
}

// versions reads "1.37" or "1.37/1.36".
func versions(word string) (since, least *version.Version, err error) {
	first, second, both := strings.Cut(word, "/")
	if since, err = version.ParseGeneric(first); err == nil && both {
		least, err = version.ParseGeneric(second)
	}
	return since, least, err
}

// stage reads "beta on" or "GA on locked".
func stage(words []string) (spec featuregate.FeatureSpec, err error) {
	if len(words) == 3 && words[2] == "locked" {
		spec.LockToDefault, words = true, words[:2]
	}
	if len(words) != 2 {
		return spec, fmt.Errorf("stage %q is not made of stage, on or off, and maybe locked", words)
	}
	switch words[0] {
	case "alpha":
		spec.PreRelease = featuregate.Alpha
	case "beta":
		spec.PreRelease = featuregate.Beta
	case "GA":
		spec.PreRelease = featuregate.GA
	case "deprecated":
		spec.PreRelease = featuregate.Deprecated
	default:
		return spec, fmt.Errorf("unknown stage %q", words[0])
	}
	switch words[1] {
	case "on":
		spec.Default = true
	case "off":
	default:
		return spec, fmt.Errorf("a gate is on or off, not %q", words[1])
	}
	return spec, nil
}
