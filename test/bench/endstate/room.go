package endstate

import (
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	resourcehelper "k8s.io/component-helpers/resource"
)

// load is what the pods of a node take together.
type load struct {
	pods  int64
	used  corev1.ResourceList
	ports map[string]int
}

// checkRoom adds up what is on each node.
func (c *checker) checkRoom(pods []corev1.Pod) {
	loads := map[string]*load{}
	for i := range pods {
		node := pods[i].Spec.NodeName
		if c.nodes[node] == nil {
			continue
		}
		if loads[node] == nil {
			loads[node] = &load{used: corev1.ResourceList{}, ports: map[string]int{}}
		}
		loads[node].add(&pods[i])
	}
	for _, node := range slices.Sorted(maps.Keys(loads)) {
		c.checkNode(c.nodes[node], loads[node])
	}
}

func (l *load) add(pod *corev1.Pod) {
	l.pods++
	for name, amount := range resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{}) {
		sum := l.used[name]
		sum.Add(amount)
		l.used[name] = sum
	}
	for _, container := range pod.Spec.Containers {
		for _, port := range container.Ports {
			if port.HostPort > 0 {
				l.ports[string(port.Protocol)+" "+port.HostIP+":"+strconv.Itoa(int(port.HostPort))]++
			}
		}
	}
}

func (c *checker) checkNode(node *corev1.Node, l *load) {
	l.used[corev1.ResourcePods] = *resource.NewQuantity(l.pods, resource.DecimalSI)
	for _, name := range slices.Sorted(maps.Keys(l.used)) {
		used := l.used[name]
		if room := node.Status.Allocatable[name]; used.Cmp(room) > 0 {
			c.wrong("node %s holds %s of %s, it has %s", node.Name, used.String(), name, room.String())
		}
	}
	for _, port := range slices.Sorted(maps.Keys(l.ports)) {
		if n := l.ports[port]; n > 1 {
			c.wrong("node %s has %d pods with host port %s", node.Name, n, port)
		}
	}
}
