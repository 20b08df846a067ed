package workload

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// PodType is what pods of one kind have in common.
type PodType struct {
	Base          string              `json:"base"`
	Labels        map[string]string   `json:"labels"`
	Req           Request             `json:"req"`
	Limits        string              `json:"limits"` // same as Req, or none
	ContainerPort int32               `json:"containerPort"`
	HostPort      int32               `json:"hostPort"`
	RequiredNode  []map[string]string `json:"requiredNode"` // terms: node label to "In [a, b]"
	Spread        *Spread             `json:"spread"`
	ReqAff        *Term               `json:"reqAff"`
	ReqAnti       *Term               `json:"reqAnti"`
	PrefAff       *Term               `json:"prefAff"`
	PrefAnti      *Term               `json:"prefAnti"`
}

// Request is what a pod asks for; empty is nothing.
type Request struct {
	CPU string `json:"cpu"`
	Mem string `json:"mem"`
}

func (t PodType) base() string { return t.Base }

func (t PodType) over(base PodType) PodType {
	if t.RequiredNode == nil {
		t.RequiredNode = base.RequiredNode
	}
	t.Base = ""
	t.Labels = merged(t.Labels, base.Labels)
	t.Req = or(t.Req, base.Req)
	t.Limits = or(t.Limits, base.Limits)
	t.ContainerPort = or(t.ContainerPort, base.ContainerPort)
	t.HostPort = or(t.HostPort, base.HostPort)
	t.Spread = or(t.Spread, base.Spread)
	t.ReqAff = or(t.ReqAff, base.ReqAff)
	t.ReqAnti = or(t.ReqAnti, base.ReqAnti)
	t.PrefAff = or(t.PrefAff, base.PrefAff)
	t.PrefAnti = or(t.PrefAnti, base.PrefAnti)
	return t
}

// check makes one pod, to see whether all can be made.
func (t PodType) check() error {
	_, err := t.pod("x", "", 0)
	return err
}

// pod makes the i-th pod of a workload.
func (t PodType) pod(name, namespace string, i int) (*corev1.Pod, error) {
	pod := object.Pod(name)
	pod.Namespace = or(namespace, pod.Namespace)
	pod.Labels = maps.Clone(t.Labels)
	if err := t.setResources(&pod.Spec.Containers[0].Resources, i); err != nil {
		return nil, err
	}
	if t.HostPort+t.ContainerPort > 0 {
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{
			ContainerPort: or(t.ContainerPort, t.HostPort), HostPort: t.HostPort, Protocol: corev1.ProtocolTCP,
		}}
	}
	return pod, t.setRules(&pod.Spec)
}

func (t PodType) setResources(to *corev1.ResourceRequirements, i int) error {
	asked := map[corev1.ResourceName]string{corev1.ResourceCPU: t.Req.CPU, corev1.ResourceMemory: t.Req.Mem}
	list := corev1.ResourceList{}
	for name, text := range asked {
		if text == "" {
			continue
		}
		text, err := expand(text, "", i)
		if err != nil {
			return err
		}
		if list[name], err = resource.ParseQuantity(text); err != nil {
			return fmt.Errorf("request of %s %q: %w", name, text, err)
		}
	}
	if len(list) == 0 {
		return nil
	}
	to.Requests = list
	switch t.Limits {
	case "":
	case "same":
		to.Limits = list.DeepCopy()
	default:
		return fmt.Errorf("limits are %q, want same or none", t.Limits)
	}
	return nil
}
