package sim

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
)

// kind is a resource name and the amounts that nodes offer and containers request
// of it.
type kind struct {
	name         corev1.ResourceName
	offers, asks []*resource.Quantity
}

// kinds are drawn from in this order. An amount that is listed twice comes twice as
// often; "-" is absent.
var kinds = []kind{
	{corev1.ResourceCPU,
		quantities("-", "0", "10m", "1", "4", "4", "4", "64", "9223372036854775807m", "10P", "50E"),
		quantities("-", "-", "0", "1m", "100m", "500m", "2", "1n", "1500u", "9223372036854775807m", "10P")},
	{corev1.ResourceMemory,
		quantities("-", "0", "20", "1Gi", "8Gi", "8Gi", "8Gi", "9223372036854775807", "16Ei", "50E"),
		quantities("-", "-", "0", "1", "200Mi", "1Gi", "1500m", "4Ei", "9223372036854775807", "16Ei", "50E")},
	{corev1.ResourceEphemeralStorage,
		quantities("-", "-", "0", "20", "10Gi", "9223372036854775807"),
		quantities("-", "-", "-", "0", "1", "1Gi", "9223372036854775807")},
	{"example.com/gpu",
		quantities("-", "-", "0", "1", "2", "8", "9223372036854775807"),
		quantities("-", "-", "-", "-", "-", "0", "1", "2", "9223372036854775807")},
	{"example.com/nic",
		quantities("-", "-", "-", "4"),
		quantities("-", "-", "-", "-", "-", "-", "0", "1")},
	{"hugepages-2Mi",
		quantities("-", "-", "0", "2Mi", "64Mi"),
		quantities("-", "-", "-", "-", "-", "0", "2Mi", "4Mi")},
	{"nodes.kubernetes.io/slots", // prefixed and native: counted, but not extended
		quantities("-", "-", "-", "3"),
		quantities("-", "-", "-", "-", "-", "-", "-", "1")},
	{"gpu", // neither native nor prefixed: not counted
		quantities("-", "-", "-", "1"),
		quantities("-", "-", "-", "-", "-", "-", "-", "2")},
	{"requests.example.com/gpu", // a quota's name: not counted
		quantities("-", "-", "-", "1"),
		quantities("-", "-", "-", "-", "-", "-", "-", "2")},
}

// asks draws what one container requests.
func (g *Gen) asks() corev1.ResourceList {
	var list corev1.ResourceList
	for i := range kinds {
		if q := Pick(g, kinds[i].asks...); q != nil {
			if list == nil {
				list = corev1.ResourceList{}
			}
			list[kinds[i].name] = q.DeepCopy()
		}
	}
	return list
}

// room is what is free of each resource, in smallest units: milli-CPU, and one of
// anything else.
type room map[corev1.ResourceName]int64

func offered(n *corev1.Node) room {
	r := room{}
	for name, q := range n.Status.Allocatable {
		r[name] = units(name, q)
	}
	return r
}

// subtract takes away what a pod on the node uses.
func (r room) subtract(p *corev1.Pod) {
	used := helpers.PodRequests(p, helpers.PodResourcesOptions{
		UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
	for name, q := range used {
		r[name] = max(0, r[name]-units(name, q))
	}
}

// fitting draws requests close to what is free: one unit less, all, one unit more,
// or a part.
func (g *Gen) fitting(r room) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := range kinds {
		name := kinds[i].name
		free, known := r[name]
		if !known || g.Chance(30) {
			if q := Pick(g, kinds[i].asks...); q != nil && g.Chance(40) {
				list[name] = q.DeepCopy()
			}
			continue
		}
		switch {
		case g.Chance(50):
			list[name] = amount(name, free/int64(g.Between(2, 5)))
		case free < math.MaxInt64:
			list[name] = amount(name, max(0, free+int64(g.Between(-1, 1))))
		default:
			list[name] = amount(name, free-int64(g.Between(0, 1)))
		}
	}
	return list
}

// amount makes a quantity of units, units counts them, rounded up.
func amount(name corev1.ResourceName, units int64) resource.Quantity {
	if name == corev1.ResourceCPU {
		return *resource.NewMilliQuantity(units, resource.DecimalSI)
	}
	return *resource.NewQuantity(units, resource.DecimalSI)
}

func units(name corev1.ResourceName, q resource.Quantity) int64 {
	if most := amount(name, math.MaxInt64); q.Cmp(most) >= 0 {
		return math.MaxInt64
	}
	if name == corev1.ResourceCPU {
		return q.MilliValue()
	}
	return q.Value()
}
