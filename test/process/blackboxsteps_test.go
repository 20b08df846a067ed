package process

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// deed is what a step does.
type deed = func(context.Context, *stage) error

// deeds does several things in a row.
func deeds(list ...deed) deed {
	return func(ctx context.Context, s *stage) error {
		for _, do := range list {
			if err := do(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
}

func add(pods ...*corev1.Pod) deed {
	return func(ctx context.Context, s *stage) error { return s.addPods(ctx, pods...) }
}

func addNode(node *corev1.Node) deed {
	return func(ctx context.Context, s *stage) error { return s.CreateNodes(ctx, node) }
}

func remove(pod string) deed {
	return func(ctx context.Context, s *stage) error {
		return s.Client(controlplane.Admin).CoreV1().Pods(s.space()).Delete(ctx, pod, *metav1.NewDeleteOptions(0))
	}
}

func removeNode(name string) deed {
	return func(ctx context.Context, s *stage) error {
		return s.Client(controlplane.Admin).CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
	}
}

func patchPod(name, body string, subresource ...string) deed {
	return func(ctx context.Context, s *stage) error { return s.patchPod(ctx, name, body, subresource...) }
}

func patchNode(name, body string, subresource ...string) deed {
	return func(ctx context.Context, s *stage) error { return s.patchNode(ctx, name, body, subresource...) }
}

// bind binds a pod as another scheduler would.
func bind(pod, node string) deed {
	return func(ctx context.Context, s *stage) error {
		return s.Client(controlplane.Admin).CoreV1().Pods(s.space()).Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: pod}, Target: corev1.ObjectReference{Kind: "Node", Name: node},
		}, metav1.CreateOptions{})
	}
}

// space is the namespace of the scene.
func (s *stage) space() string { return strings.ToLower(strings.ReplaceAll(s.name, " ", "-")) }

// addPods creates pods, those that are in no special namespace in that of the scene.
func (s *stage) addPods(ctx context.Context, pods ...*corev1.Pod) error {
	for _, pod := range pods { // in this order
		if pod = pod.DeepCopy(); pod.Namespace == metav1.NamespaceDefault {
			pod.Namespace = s.space()
		}
		if len(pod.Spec.SchedulingGates) > 0 {
			s.gated++
		}
		if err := s.CreatePods(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) patchNode(ctx context.Context, name, body string, subresource ...string) error {
	_, err := s.Client(controlplane.Admin).CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, []byte(body), metav1.PatchOptions{}, subresource...)
	return err
}

func (s *stage) patchPod(ctx context.Context, name, body string, subresource ...string) error {
	_, err := s.Client(controlplane.Admin).CoreV1().Pods(s.space()).Patch(ctx, name, types.StrategicMergePatchType, []byte(body), metav1.PatchOptions{}, subresource...)
	return err
}
