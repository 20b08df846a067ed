package oracle

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// nominations is a nominator for upstream that nothing changes: pods by node.
type nominations map[string][]fwk.PodInfo

var _ fwk.PodNominator = nominations(nil)

// nominate takes the nominations that pods carry in their status.
func nominate(pods []*corev1.Pod) nominations {
	n := nominations{}
	for _, p := range pods {
		if node := p.Status.NominatedNodeName; node != "" {
			info, _ := framework.NewPodInfo(p) // with an error the rest of it is still good
			n[node] = append(n[node], info)
		}
	}
	return n
}

// NominatedPodsForNode returns the pods nominated to a node.
func (n nominations) NominatedPodsForNode(node string) []fwk.PodInfo { return n[node] }

// AddNominatedPod, DeleteNominatedPodIfExists and UpdateNominatedPod change nothing:
// a question is asked once.
func (nominations) AddNominatedPod(klog.Logger, fwk.PodInfo, *fwk.NominatingInfo) {}

// DeleteNominatedPodIfExists is as above.
func (nominations) DeleteNominatedPodIfExists(*corev1.Pod) {}

// UpdateNominatedPod is as above.
func (nominations) UpdateNominatedPod(klog.Logger, *corev1.Pod, fwk.PodInfo) {}
