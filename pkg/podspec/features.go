package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-helpers/nodedeclaredfeatures"
)

// release is the version whose features a node need not declare any more once they are
// everywhere.
var release = version.MajorMinor(1, 37)

// RequiredFeatures infers what a node must declare before the pod may go there.
func RequiredFeatures(p *corev1.Pod) (nodedeclaredfeatures.FeatureSet, error) {
	return nodedeclaredfeatures.DefaultFramework.InferForPodScheduling(&nodedeclaredfeatures.PodInfo{Spec: &p.Spec}, release)
}
