package e2e

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Somebody has nominated a pod to a node that does not take it. That keeps others away until
// the pod is tried: then the nomination is taken back, and they are woken.
func TestNominationInVainIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.nodes("n1 taint(k)")
	pods := s.client.CoreV1().Pods("default")
	must(t, s.c.CreatePods(s.ctx, object.Pod("first", object.CPU("4"), object.Gate("t/a"))))
	_, err := pods.Patch(s.ctx, "first", types.MergePatchType, []byte(`{"status":{"nominatedNodeName":"n1"}}`), metav1.PatchOptions{}, "status")
	must(t, err)
	must(t, s.c.CreatePods(s.ctx, object.Pod("second", object.CPU("4"), object.Is("bears(k)"))))
	_, err = s.c.WaitReason(s.ctx, "default", "second", corev1.PodReasonUnschedulable)
	must(t, err)
	must(t, patchPod("first", `{"spec":{"schedulingGates":null}}`)(s.ctx, s.client))
	s.bound("second", "n1")
	must(t, s.c.WaitFor(s.ctx, "the nomination to be gone", func(ctx context.Context) error {
		p, err := pods.Get(ctx, "first", metav1.GetOptions{})
		if err == nil && p.Status.NominatedNodeName != "" {
			err = fmt.Errorf("it is for %s", p.Status.NominatedNodeName)
		}
		return err
	}))
}
