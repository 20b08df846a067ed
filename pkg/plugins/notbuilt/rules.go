package notbuilt

import (
	corev1 "k8s.io/api/core/v1"
)

// rules says, for each missing plugin, which pods cannot do without it.
var rules = map[string]func(*corev1.PodSpec) bool{
	"VolumeRestrictions": usesExclusiveDisk,
	"NodeVolumeLimits":   usesAttachedVolume,
	"VolumeBinding":      usesClaim,
	"VolumeZone":         usesClaim,
	"DynamicResources":   func(s *corev1.PodSpec) bool { return len(s.ResourceClaims) > 0 },

	"DefaultPreemption": nil,
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
