package notbuilt

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// rules says, for each missing plugin, which pods cannot do without it.
var rules = map[string]func(*cluster.View, *podspec.Pod) bool{
	"VolumeRestrictions": bySpec(usesExclusiveDisk),
	"NodeVolumeLimits":   bySpec(usesAttachedVolume),
	"VolumeBinding":      bySpec(usesClaim),
	"VolumeZone":         bySpec(usesClaim),
	"PodTopologySpread":  bySpec(requiresSpread),
	"InterPodAffinity":   requiresPodAffinity,
	"DynamicResources":   bySpec(func(s *corev1.PodSpec) bool { return len(s.ResourceClaims) > 0 }),

	"DefaultPreemption": nil,
}

func bySpec(needs func(*corev1.PodSpec) bool) func(*cluster.View, *podspec.Pod) bool {
	return func(_ *cluster.View, p *podspec.Pod) bool { return needs(&p.API.Spec) }
}

func usesClaim(s *corev1.PodSpec) bool {
	return anyVolume(s, func(v *corev1.VolumeSource) bool {
		return v.PersistentVolumeClaim != nil || v.Ephemeral != nil
	})
}

func usesExclusiveDisk(s *corev1.PodSpec) bool {
	return anyVolume(s, func(v *corev1.VolumeSource) bool {
		return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.GCEPersistentDisk != nil ||
			v.AWSElasticBlockStore != nil || v.RBD != nil || v.ISCSI != nil
	})
}

func usesAttachedVolume(s *corev1.PodSpec) bool {
	return anyVolume(s, func(v *corev1.VolumeSource) bool {
		return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.GCEPersistentDisk != nil ||
			v.AWSElasticBlockStore != nil || v.AzureDisk != nil || v.Cinder != nil || v.PortworxVolume != nil
	})
}

func anyVolume(s *corev1.PodSpec, is func(*corev1.VolumeSource) bool) bool {
	for i := range s.Volumes {
		if is(&s.Volumes[i].VolumeSource) {
			return true
		}
	}
	return false
}

func requiresSpread(s *corev1.PodSpec) bool {
	for i := range s.TopologySpreadConstraints {
		if s.TopologySpreadConstraints[i].WhenUnsatisfiable == corev1.DoNotSchedule {
			return true
		}
	}
	return false
}

// requiresPodAffinity is true for pods with required terms, and for those that the
// required anti-affinity of a pod on a node may keep away. Namespaces of terms are
// not resolved here: a label match anywhere counts.
func requiresPodAffinity(v *cluster.View, p *podspec.Pod) bool {
	if a := p.API.Spec.Affinity; a != nil {
		if a.PodAffinity != nil && len(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0 {
			return true
		}
	}
	return p.RequiredAntiAffinity || v.AnyWithRequiredAntiAffinity(func(other *podspec.Pod) bool {
		return mayRepel(other.API, p.API)
	})
}

func mayRepel(other, p *corev1.Pod) bool {
	for _, term := range other.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		selector, err := metav1.LabelSelectorAsSelector(term.LabelSelector)
		if err != nil || selector.Matches(labels.Set(p.Labels)) {
			return true
		}
	}
	return false
}
