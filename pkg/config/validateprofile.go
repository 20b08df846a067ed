package config

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/utils/ptr"
)

// removed are plugins that version v1 no longer has.
var removed = []string{"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"}

func (c *Config) validateProfiles(path *field.Path) (errs field.ErrorList) {
	if len(c.Profiles) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	seen := map[string]bool{}
	for i := range c.Profiles {
		p, at := &c.Profiles[i], path.Index(i)
		errs = append(errs, c.validateProfile(at, p)...)
		name := ptr.Deref(p.SchedulerName, "")
		if seen[name] {
			// The value is an empty object in kube-scheduler's text, so it is here.
			errs = append(errs, field.Duplicate(at.Child("schedulerName"), struct{}{}))
		}
		seen[name] = true
	}
	return append(errs, validateQueueSorts(path, c.Profiles)...)
}

func (c *Config) validateProfile(path *field.Path, p *configv1.KubeSchedulerProfile) (errs field.ErrorList) {
	if ptr.Deref(p.SchedulerName, "") == "" {
		errs = append(errs, field.Required(path.Child("schedulerName"), ""))
	}
	errs = append(errs, validatePercentage(path.Child("percentageOfNodesToScore"), p.PercentageOfNodesToScore)...)
	for at := range Points {
		if at == PlacementGenerate || at == PlacementScore {
			continue // as in kube-scheduler; they are found unknown later
		}
		set := path.Child("plugins", points[at].field, "enabled")
		for i, e := range at.Set(p.Plugins).Enabled {
			errs = append(errs, validateName(set.Index(i), e.Name)...)
		}
	}
	return append(errs, c.validatePluginConfig(path.Child("pluginConfig"), p)...)
}

func validateName(path *field.Path, name string) field.ErrorList {
	if !slices.Contains(removed, name) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name, fmt.Sprintf("was invalid in version %q (KubeSchedulerConfiguration is version %q)",
		configv1.SchemeGroupVersion.Version, configv1.SchemeGroupVersion))}
}

func (c *Config) validatePluginConfig(path *field.Path, p *configv1.KubeSchedulerProfile) (errs field.ErrorList) {
	seen := map[string]bool{}
	for i := range p.PluginConfig {
		pc, at := &p.PluginConfig[i], path.Index(i)
		errs = append(errs, validateName(at, pc.Name)...)
		if seen[pc.Name] {
			errs = append(errs, field.Duplicate(at, pc.Name))
		} else if kind := kinds[pc.Name]; kind != nil {
			errs = append(errs, kind.validate(at.Child("args"), pc.Args.Object, c.Gates)...)
		}
		seen[pc.Name] = true
	}
	return errs
}

// validateQueueSorts checks what is said about queueSort: one plugin at the most, and
// the same in all profiles.
func validateQueueSorts(path *field.Path, profiles []configv1.KubeSchedulerProfile) (errs field.ErrorList) {
	first := profiles[0].Plugins.QueueSort
	if n := len(first.Enabled); n > 1 {
		errs = append(errs, field.Invalid(path.Index(0).Child("plugins", "queueSort", "Enabled"), n, "only one queue sort plugin can be enabled"))
	}
	for i := range profiles[1:] {
		if got := profiles[i+1].Plugins.QueueSort; !equalSets(first, got) {
			errs = append(errs, field.Invalid(path.Index(i+1).Child("plugins", "queueSort"), printedSet(got), "must be the same for all profiles"))
		}
	}
	return errs
}

func equalSets(a, b configv1.PluginSet) bool {
	same := func(p, q configv1.Plugin) bool { return p.Name == q.Name && ptr.Equal(p.Weight, q.Weight) }
	return slices.EqualFunc(a.Enabled, b.Enabled, same) && slices.EqualFunc(a.Disabled, b.Disabled, same)
}

// printedSet is a set as kube-scheduler prints one in errors.
type printedSet configv1.PluginSet

// MarshalJSON uses the names of Go's fields and null for nothing.
func (s printedSet) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct{ Enabled, Disabled []Plugin }{printed(s.Enabled), printed(s.Disabled)})
}

func printed(list []configv1.Plugin) (out []Plugin) {
	for _, p := range list {
		out = append(out, Plugin{p.Name, int64(ptr.Deref(p.Weight, 0))})
	}
	return out
}
