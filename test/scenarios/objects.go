package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// objects makes API objects from lines. Each object gets the next resource version.
//
//	node NAME [cpu= mem= pods= taint=key[=value]:Effect cordoned=true zone= disk=]
//	pod NAME  [cpu= mem= prio= on=NODE scheduler= gates=a,b uid= tolerate= deleting=true nominated=
//	           is="app=x spread(1 zone app=x)"     words of object.Is: labels, rules about other pods
//	           orphaned=true]                      it has no controller any more
type objects struct {
	version int
	pods    map[string]*corev1.Pod // by name, as last made
	nodes   map[string]*corev1.Node
}

func newObjects() *objects {
	return &objects{pods: map[string]*corev1.Pod{}, nodes: map[string]*corev1.Node{}}
}

func (o *objects) next() string {
	o.version++
	return strconv.Itoa(o.version)
}

func (o *objects) node(w words) (*corev1.Node, error) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: w.arg(0), Labels: map[string]string{corev1.LabelHostname: w.arg(0)}}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("110")}
	for key, value := range w.opts {
		switch key {
		case "cordoned":
			n.Spec.Unschedulable = value == "true"
		case "zone":
			n.Labels[corev1.LabelTopologyZone] = value
		case "disk":
			n.Labels["disk"] = value
		case "taint":
			taint, effect, _ := strings.Cut(value, ":")
			k, v, _ := strings.Cut(taint, "=")
			n.Spec.Taints = []corev1.Taint{{Key: k, Value: v, Effect: corev1.TaintEffect(effect)}}
		default:
			q, err := resource.ParseQuantity(value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			n.Status.Allocatable[resourceName(key)] = q
		}
	}
	n.ResourceVersion = o.next()
	o.nodes[n.Name] = n
	return n, nil
}

func (o *objects) pod(w words) (*corev1.Pod, error) {
	name := w.arg(0)
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
	p.Spec.SchedulerName = corev1.DefaultSchedulerName
	p.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}}}}
	if old := o.pods[name]; old != nil {
		p = old.DeepCopy()
	}
	for key, value := range w.opts {
		if err := setPod(p, key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	p.ResourceVersion = o.next()
	o.pods[name] = p
	return p, nil
}

func setPod(p *corev1.Pod, key, value string) error {
	switch key {
	case "uid":
		p.UID = types.UID(value)
	case "on":
		p.Spec.NodeName = value
	case "scheduler":
		p.Spec.SchedulerName = value
	case "nominated":
		p.Status.NominatedNodeName = value
	case "is":
		object.Is(value)(p)
	case "orphaned":
		p.OwnerReferences = nil
	case "label":
		k, v, _ := strings.Cut(value, ":")
		p.Labels = map[string]string{k: v}
	case "prio":
		n, err := strconv.ParseInt(value, 10, 32)
		prio := int32(n)
		p.Spec.Priority = &prio
		return err
	case "gates":
		p.Spec.SchedulingGates = nil
		for _, gate := range strings.Split(value, ",") {
			if gate != "" {
				p.Spec.SchedulingGates = append(p.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: gate})
			}
		}
	case "tolerate":
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{Key: value, Operator: corev1.TolerationOpExists})
	case "deleting":
		p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	default:
		q, err := resource.ParseQuantity(value)
		if err != nil {
			return err
		}
		p.Spec.Containers[0].Resources.Requests[resourceName(key)] = q
	}
	return nil
}

func resourceName(key string) corev1.ResourceName {
	switch key {
	case "mem":
		return corev1.ResourceMemory
	}
	return corev1.ResourceName(key)
}
