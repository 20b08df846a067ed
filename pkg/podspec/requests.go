package podspec

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
)

// What a container without a request counts in scores.
var (
	defaultCPU    = resource.MustParse("100m")
	defaultMemory = resource.MustParse("200Mi")

	defaults = corev1.ResourceList{corev1.ResourceCPU: defaultCPU, corev1.ResourceMemory: defaultMemory}
)

func (c *Compiler) compileResources(p *corev1.Pod, out *Pod) {
	out.Requests = c.Resources.Vector(helpers.PodRequests(p, helpers.PodResourcesOptions{
		SkipPodLevelResources: !c.PodLevelResources,
	}))
	// Upstream builds this scorer without the pod-level switch, so pod-level
	// requests do not reach it.
	out.Scoring = c.Resources.Vector(helpers.PodRequests(p, helpers.PodResourcesOptions{
		SkipPodLevelResources:       true,
		NonMissingContainerRequests: defaults,
	}))

	if hasNewResources(p) && !helpers.IsPodLevelRequestsSet(p) {
		out.Usage, out.UsageScore = out.Requests, cpuAndMemory(out.Scoring)
		return
	}
	onNode := c.onNode()
	usage := helpers.PodRequests(p, onNode)
	out.Usage = c.Resources.Vector(usage)
	onNode.NonMissingContainerRequests = c.missing(p, usage)
	out.UsageScore = cpuAndMemory(c.Resources.Vector(helpers.PodRequests(p, onNode)))
}

// hasNewResources reports whether nothing is known of a pod's resources beyond its spec, as
// before a kubelet has seen it. What it takes from its node is what it asks for then, and
// the sums over what was allocated and what is in effect, the costly ones, come to the same.
func hasNewResources(p *corev1.Pod) bool {
	told := func(s corev1.ContainerStatus) bool { return s.Resources != nil || s.AllocatedResources != nil }
	return p.Status.Resources == nil && p.Status.AllocatedResources == nil && !helpers.IsPodResizeInfeasible(p) &&
		!slices.ContainsFunc(p.Status.ContainerStatuses, told) && !slices.ContainsFunc(p.Status.InitContainerStatuses, told)
}

// missing returns the defaults that containers of a pod on its node may lack.
// With pod-level requests a default counts only where neither the pod nor any
// container names the resource.
func (c *Compiler) missing(p *corev1.Pod, usage corev1.ResourceList) corev1.ResourceList {
	if !c.PodLevelResources || !helpers.IsPodLevelRequestsSet(p) {
		return defaults
	}
	lacking := corev1.ResourceList{}
	for name, q := range defaults {
		if _, named := usage[name]; !named {
			lacking[name] = q
		}
	}
	return lacking
}

func cpuAndMemory(v Vector) Vector {
	for i, a := range v {
		if a.Col > Memory {
			return v[:i]
		}
	}
	return v
}

// Usage returns what a pod takes from its node, as Compile does.
func (r *Resources) Usage(p *corev1.Pod) Vector { return r.Vector(helpers.PodRequests(p, r.onNode())) }

// onNode says what counts of a pod that is on a node.
func (r *Resources) onNode() helpers.PodResourcesOptions {
	return helpers.PodResourcesOptions{
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: r.PodLevelResourcesResize,
		SkipPodLevelResources:                          !r.PodLevelResources,
	}
}
