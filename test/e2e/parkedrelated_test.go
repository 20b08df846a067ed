package e2e

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

const (
	skewed     = "node(s) didn't match pod topology spread constraints"
	unlabelled = "node(s) didn't match pod topology spread constraints (missing required label)"
	partner    = "node(s) didn't match pod affinity rules"
	blocked    = "node(s) didn't match pod anti-affinity rules"
	keptAway   = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// Pods that other pods keep waiting: what helps places them, and what happens beside does
// not even cause an attempt.
func TestPodParkedByOthersIsWokenByWhatHelpsItAndByNothingElse(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 8*time.Minute)
	client := c.Client(controlplane.Admin)
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}}, metav1.CreateOptions{})
	must(t, err)
	for _, p := range parkedByOthers() {
		t.Run(p.plugin+" "+p.event, func(t *testing.T) {
			t.Cleanup(func() {
				must(t, client.CoreV1().Pods("other").DeleteCollection(ctx, *metav1.NewDeleteOptions(0), metav1.ListOptions{}))
				must(t, patchNamespace("other", `{"metadata":{"labels":{"team":null}}}`)(ctx, client))
			})
			checkParked(t, ctx, c, p)
		})
	}
}

// parkedByOthers is on a node in zone z1, if nothing else is said.
func parkedByOthers() []parked {
	return append(parkedBySpread(), append(parkedByPartners(), parkedByBlockers()...)...)
}

func is(words string) []object.PodOption { return []object.PodOption{object.Is(words)} }

func wall(words string) *corev1.Pod {
	return object.Pod("wall", object.Is(words), object.OnNode("n"), object.Grace(0))
}

var inZone = []object.NodeOption{object.Zone("z1")}

func parkedBySpread() []parked {
	const name = "PodTopologySpread"
	two := is("app=x spread(1 zone app=x min=2)") // there is but one zone, so it may hold one
	relabelled := patchPod("wall", `{"metadata":{"labels":{"app":"y"}}}`)
	return []parked{
		{name, "pod gone", skewed, inZone, wall("app=x"), two, deleted("wall")},
		{name, "pod relabelled", skewed, inZone, wall("app=x"), two, relabelled},
		{name, "own labels changed", skewed, inZone, wall("app=x"), two, patchPod("parked", `{"metadata":{"labels":{"app":"y"}}}`)},
		{name, "node added", skewed, inZone, wall("app=x"), two, newNode(object.Zone("z2"))},
		{name, "node labelled", unlabelled, nil, nil, is("app=x spread(1 zone app=x)"), patchOf("n", `{"metadata":{"labels":{"topology.kubernetes.io/zone":"z1"}}}`)},
	}
}

func parkedByPartners() []parked {
	const name = "InterPodAffinity"
	near, selected := is("near(zone app=x)"), is("near(zone app=x nsel:team=a)")
	coming := wall("app=x")
	return []parked{
		{name, "partner added", partner, inZone, nil, near, created(coming)},
		{name, "partner relabelled", partner, inZone, wall("app=y"), near, patchPod("wall", `{"metadata":{"labels":{"app":"x"}}}`)},
		{name, "partner's node labelled", partner, nil, wall("app=x"), near, patchOf("n", `{"metadata":{"labels":{"topology.kubernetes.io/zone":"z1"}}}`)},
		{name, "node added for the first of a group", partner, nil, nil, is("app=s near(zone app=s)"), newNode(object.Zone("z1"))},
		{name, "own labels changed to be the first", partner, inZone, nil, is("app=y near(zone app=x)"), patchPod("parked", `{"metadata":{"labels":{"app":"x"}}}`)},
		{name, "namespace of a partner labelled", partner, inZone, wall("app=x in(other)"), selected, patchNamespace("other", `{"metadata":{"labels":{"team":"a"}}}`)},
		{name, "partner added in a labelled namespace", partner, inZone, nil, is("near(zone app=x nsel:kubernetes.io/metadata.name=other)"), created(wall("app=x in(other)"))},
	}
}

func parkedByBlockers() []parked {
	const name = "InterPodAffinity"
	far, selected := is("far(zone app=x)"), is("far(zone app=x nsel:!team)")
	leaves := patchOf("n", `{"metadata":{"labels":{"topology.kubernetes.io/zone":null}}}`)
	return []parked{
		{name, "blocker gone", blocked, inZone, wall("app=x"), far, deleted("wall")},
		{name, "blocker relabelled", blocked, inZone, wall("app=x"), far, patchPod("wall", `{"metadata":{"labels":{"app":"y"}}}`)},
		{name, "namespace of a blocker labelled", blocked, inZone, wall("app=x in(other)"), selected, patchNamespace("other", `{"metadata":{"labels":{"team":"a"}}}`)},
		{name, "node added beside a blocker", blocked, inZone, wall("app=x"), far, newNode(object.Zone("z2"))},
		{name, "node leaves the zone of a blocker", blocked, inZone, wall("app=x"), far, leaves},
		// Case B41: the pod that keeps it away, and not one of its own terms.
		{name, "pod that wants to be alone gone", keptAway, inZone, wall("far(zone app=x)"), is("app=x"), deleted("wall")},
		{name, "own labels changed to be left alone", keptAway, inZone, wall("far(zone app=x)"), is("app=x"), patchPod("parked", `{"metadata":{"labels":{"app":"db"}}}`)},
		{name, "node added beside one that wants to be alone", keptAway, inZone, wall("far(zone app=x)"), is("app=x"), newNode(object.Zone("z2"))},
		{name, "node leaves the zone of one that wants to be alone", keptAway, inZone, wall("far(zone app=x)"), is("app=x"), leaves},
	}
}

func created(pod *corev1.Pod) change {
	return func(ctx context.Context, client kubernetes.Interface) error {
		_, err := client.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{})
		return err
	}
}
