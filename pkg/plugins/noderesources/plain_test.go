package noderesources

import (
	"math"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	helpers "k8s.io/component-helpers/resource"
	fwk "k8s.io/kube-scheduler/framework"
)

// The plain definitions count in numbers without an upper end. Only a single amount
// is cut, at the largest int64, as it is when a list is read.

var onNode = helpers.PodResourcesOptions{
	UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true,
}

// plainFit lists every resource that the pod asks more of than is left.
func plainFit(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
	code, reasons := fwk.Success, []string(nil)
	if big.NewInt(int64(len(pods)+1)).Cmp(plainAmount(corev1.ResourcePods, node.Status.Allocatable)) > 0 {
		code, reasons = fwk.Unschedulable, []string{"Too many pods"}
	}
	requests := helpers.PodRequests(pod, helpers.PodResourcesOptions{})
	used := plainUsed(pods)
	for _, name := range plainOrder(requests) {
		need, offered := plainAmount(name, requests), plainAmount(name, node.Status.Allocatable)
		free := new(big.Int).Sub(offered, plainSum(name, used))
		if need.Sign() == 0 || need.Cmp(free) <= 0 {
			continue
		}
		reasons = append(reasons, "Insufficient "+string(name))
		switch {
		case need.Cmp(offered) > 0:
			code = fwk.UnschedulableAndUnresolvable
		case code == fwk.Success:
			code = fwk.Unschedulable
		}
	}
	return code, reasons
}

// plainOrder is cpu, memory and ephemeral-storage, then the other names that count.
func plainOrder(list corev1.ResourceList) []corev1.ResourceName {
	order := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
	var scalars []corev1.ResourceName
	for name := range list {
		if plainScalar(string(name)) && !slices.Contains(order, name) {
			scalars = append(scalars, name)
		}
	}
	slices.Sort(scalars)
	return append(order, scalars...)
}

// plainScalar: extended resources, hugepages, attachable volumes, and names below a
// kubernetes.io domain.
func plainScalar(name string) bool {
	native := strings.Contains(name, "kubernetes.io/")
	extended := strings.Contains(name, "/") && !native && !strings.HasPrefix(name, "requests.") &&
		len(validation.IsQualifiedName("requests."+name)) == 0
	return native || extended || strings.HasPrefix(name, "hugepages-") || strings.HasPrefix(name, "attachable-volumes-")
}

func plainUsed(pods []*corev1.Pod) []corev1.ResourceList {
	var lists []corev1.ResourceList
	for _, p := range pods {
		lists = append(lists, helpers.PodRequests(p, onNode))
	}
	return lists
}

func plainSum(name corev1.ResourceName, lists []corev1.ResourceList) *big.Int {
	sum := new(big.Int)
	for _, list := range lists {
		sum.Add(sum, plainAmount(name, list))
	}
	return sum
}

// plainAmount reads one amount of a list: thousandths of a CPU, or whole units of
// anything else, rounded up.
func plainAmount(name corev1.ResourceName, list corev1.ResourceList) *big.Int {
	q := list[name].DeepCopy()
	if name == corev1.ResourceCPU {
		q.Mul(1000)
	}
	return plainCeil(q)
}

func plainCeil(q resource.Quantity) *big.Int {
	dec := q.AsDec()
	n := new(big.Int).Set(dec.UnscaledBig())
	for s := dec.Scale(); s < 0; s++ {
		n.Mul(n, big.NewInt(10))
	}
	if dec.Scale() > 0 {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(dec.Scale())), nil)
		n.Add(n, unit).Sub(n, big.NewInt(1)).Div(n, unit)
	}
	if most := big.NewInt(math.MaxInt64); n.Cmp(most) > 0 {
		return most
	}
	return n
}

// plainLeastAllocated is the mean over CPU and memory of the percentage that stays
// free, without what the node does not offer.
func plainLeastAllocated(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) int64 {
	sum, count := int64(0), int64(0)
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		offered := plainAmount(name, node.Status.Allocatable)
		if offered.Sign() == 0 {
			continue
		}
		count++
		taken := plainAmount(name, helpers.PodRequests(pod, helpers.PodResourcesOptions{
			SkipPodLevelResources: true, NonMissingContainerRequests: plainDefaults(),
		}))
		for _, p := range pods {
			taken = new(big.Int).Add(taken, plainAmount(name, plainScored(p)))
		}
		if free := new(big.Int).Sub(offered, taken); free.Sign() > 0 {
			share := free.Mul(free, big.NewInt(100))
			sum += share.Div(share, offered).Int64()
		}
	}
	if count == 0 {
		return 0
	}
	return sum / count
}

// plainScored is what a pod on a node counts in scores: a container without a request
// counts the default. With requests of the pod a default only stands in for what is
// named nowhere.
func plainScored(p *corev1.Pod) corev1.ResourceList {
	options, missing := onNode, plainDefaults()
	if helpers.IsPodLevelRequestsSet(p) {
		for name := range helpers.PodRequests(p, onNode) {
			delete(missing, name)
		}
	}
	options.NonMissingContainerRequests = missing
	return helpers.PodRequests(p, options)
}

func plainDefaults() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("200Mi"),
	}
}

// newFit is the plugin of a profile that gives no arguments.
func newFit() *Fit {
	f, err := NewFit(nil)
	if err != nil {
		panic(err)
	}
	return f
}
