package oracle

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/utils/ptr"
)

// Profile is how the plugins of a question are configured: the default profile with
// other weights and arguments.
type Profile struct {
	Name    string
	weights map[string]int64             // of plugins that score; the default for others
	args    map[string]apiruntime.Object // by plugin, as versioned types
}

// profiles are those that questions may have. The first one is the default.
var profiles = []Profile{
	{Name: ""},
	{Name: "most",
		weights: map[string]int64{"TaintToleration": 1, fit: 5, balanced: 3, "ImageLocality": 4},
		args: map[string]apiruntime.Object{
			fit: &configv1.NodeResourcesFitArgs{ScoringStrategy: &configv1.ScoringStrategy{
				Type: configv1.MostAllocated,
				Resources: resources("cpu", 1, "memory", 2, "ephemeral-storage", 1, "example.com/gpu", 3,
					"hugepages-2Mi", 2, "nodes.kubernetes.io/slots", 1),
			}},
			balanced: &configv1.NodeResourcesBalancedAllocationArgs{
				Resources: resources("cpu", 1, "memory", 1, "example.com/gpu", 1, "hugepages-2Mi", 1, "nodes.kubernetes.io/slots", 1),
			},
		}},
	{Name: "ratio",
		weights: map[string]int64{fit: 2},
		args: map[string]apiruntime.Object{
			fit: &configv1.NodeResourcesFitArgs{ScoringStrategy: &configv1.ScoringStrategy{
				Type: configv1.RequestedToCapacityRatio, Resources: resources("cpu", 1, "memory", 3, "example.com/gpu", 5),
				RequestedToCapacityRatio: &configv1.RequestedToCapacityRatioParam{Shape: []configv1.UtilizationShapePoint{
					{Utilization: 0, Score: 0}, {Utilization: 45, Score: 7}, {Utilization: 100, Score: 3},
				}},
			}},
			balanced: &configv1.NodeResourcesBalancedAllocationArgs{Resources: resources("memory", 1, "ephemeral-storage", 1, "cpu", 1)},
		}},
	{Name: "valley", // most of its utilizations score next to nothing
		args: map[string]apiruntime.Object{
			fit: &configv1.NodeResourcesFitArgs{ScoringStrategy: &configv1.ScoringStrategy{
				Type: configv1.RequestedToCapacityRatio, Resources: resources("cpu", 2, "memory", 1, "hugepages-2Mi", 3),
				RequestedToCapacityRatio: &configv1.RequestedToCapacityRatioParam{Shape: []configv1.UtilizationShapePoint{
					{Utilization: 10, Score: 1}, {Utilization: 50, Score: 0}, {Utilization: 90, Score: 9},
				}},
			}},
		}},
	{Name: "ignored",
		args: map[string]apiruntime.Object{
			fit: &configv1.NodeResourcesFitArgs{
				IgnoredResources:      []string{"example.com/gpu"},
				IgnoredResourceGroups: []string{"nodes.kubernetes.io"}, // no extended resource, so it counts all the same
				ScoringStrategy: &configv1.ScoringStrategy{
					Type: configv1.LeastAllocated, Resources: resources("memory", 2, "example.com/nic", 1, "ephemeral-storage", 4),
				},
			},
		}},
	{Name: "related",
		weights: map[string]int64{"PodTopologySpread": 5, "InterPodAffinity": 7},
		args: map[string]apiruntime.Object{
			"PodTopologySpread": &configv1.PodTopologySpreadArgs{
				DefaultingType: configv1.ListDefaulting,
				DefaultConstraints: []corev1.TopologySpreadConstraint{
					{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.ScheduleAnyway},
					{MaxSkew: 2, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.DoNotSchedule},
					{MaxSkew: 3, TopologyKey: corev1.LabelTopologyRegion, WhenUnsatisfiable: corev1.ScheduleAnyway},
				},
			},
			"InterPodAffinity": &configv1.InterPodAffinityArgs{HardPodAffinityWeight: ptr.To[int32](40)},
		}},
	{Name: "reserved",
		args: map[string]apiruntime.Object{
			"PodTopologySpread": &configv1.PodTopologySpreadArgs{DefaultingType: configv1.ListDefaulting},
			"InterPodAffinity": &configv1.InterPodAffinityArgs{
				HardPodAffinityWeight: ptr.To[int32](0), IgnorePreferredTermsOfExistingPods: true,
			},
		}},
	{Name: "added",
		args: map[string]apiruntime.Object{
			"NodeAffinity": &configv1.NodeAffinityArgs{AddedAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
					{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpIn, Values: []string{"z1", "z2"}}}},
					{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpDoesNotExist}}},
				}},
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
					Weight:     3,
					Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "disk", Operator: corev1.NodeSelectorOpExists}}},
				}},
			}},
		}},
	{Name: "preferred",
		args: map[string]apiruntime.Object{
			"NodeAffinity": &configv1.NodeAffinityArgs{AddedAffinity: &corev1.NodeAffinity{
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
					Weight: 29,
					Preference: corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{
						{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}},
					}},
				}},
			}},
		}},
}

// resources lists names and weights.
func resources(pairs ...any) []configv1.ResourceSpec {
	var list []configv1.ResourceSpec
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, configv1.ResourceSpec{Name: pairs[i].(string), Weight: int64(pairs[i+1].(int))})
	}
	return list
}

// profileOf returns the profile called name.
func profileOf(name string) (Profile, error) {
	i := slices.IndexFunc(profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, fmt.Errorf("no profile is called %q", name)
	}
	return profiles[i], nil
}

// upstream returns the profile as upstream has it: what the default one has, changed,
// and of that the plugins called names.
func (p Profile) upstream(names []string) (config.KubeSchedulerProfile, error) {
	defaults, err := latest.Default()
	if err != nil {
		return config.KubeSchedulerProfile{}, fmt.Errorf("cannot make upstream's default configuration: %w", err)
	}
	out := defaults.Profiles[0]
	enabled := &out.Plugins.MultiPoint.Enabled
	*enabled = slices.DeleteFunc(*enabled, func(e config.Plugin) bool { return !slices.Contains(names, e.Name) })
	for i := range *enabled {
		if w, changed := p.weights[(*enabled)[i].Name]; changed {
			(*enabled)[i].Weight = int32(w)
		}
	}
	for i := range out.PluginConfig {
		c := &out.PluginConfig[i]
		if args := p.args[c.Name]; args != nil {
			scheme.Scheme.Default(args)
			if c.Args, err = scheme.Scheme.ConvertToVersion(args, config.SchemeGroupVersion); err != nil {
				return out, fmt.Errorf("cannot convert the arguments of %s: %w", c.Name, err)
			}
		}
	}
	return out, nil
}
