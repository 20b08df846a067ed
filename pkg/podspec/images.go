package podspec

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// imageNames returns the images that a pod needs, one entry for each use.
func imageNames(s *corev1.PodSpec) []string {
	names := make([]string, 0, len(s.InitContainers)+len(s.Containers))
	for i := range s.InitContainers {
		names = append(names, normalImage(s.InitContainers[i].Image))
	}
	for i := range s.Containers {
		names = append(names, normalImage(s.Containers[i].Image))
	}
	for i := range s.Volumes {
		if image := s.Volumes[i].Image; image != nil {
			names = append(names, normalImage(image.Reference))
		}
	}
	return names
}

// normalImage adds the tag that stands for none. A colon before the last slash belongs
// to a port.
func normalImage(name string) string {
	if strings.LastIndex(name, ":") <= strings.LastIndex(name, "/") {
		name += ":latest"
	}
	return name
}
