package interpodaffinity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// asObjects makes the objects of an event of words; none is no object.
func asObjects[T any](before, after string, of func(string) T) (was, now any) {
	if before != "" {
		was = of(before)
	}
	if after != "" {
		now = of(after)
	}
	return was, now
}

func onNode(words string) *corev1.Pod { return object.PodOf(words, object.OnNode("n")) }

func TestPodsThatHelpComingOrGoingWake(t *testing.T) {
	f := func(pod string, action fwk.ActionType, before, after, want string) {
		t.Helper()
		was, now := asObjects(before, after, onNode)
		if got := sim.WakeIn(place("n"), New(nil), fwk.AssignedPod, action, object.PodOf(pod), was, now); got != want {
			t.Errorf("%s, when %q becomes %q: %s, want %s", pod, before, after, got, want)
		}
	}
	const relabel = fwk.UpdatePodLabel
	near, far := "near(zone app=x)", "far(zone app=x)"
	f(near, fwk.Add, "", "app=x", "Queue")
	f(near, fwk.Add, "", "app=y", "QueueSkip")
	f(near, fwk.Add, "", "app=x in(other)", "QueueSkip")
	f(near+" near(host tier=t)", fwk.Add, "", "app=x", "QueueSkip") // it must match all
	f(near+" near(host tier=t)", fwk.Add, "", "app=x tier=t", "Queue")
	f(near, relabel, "app=y", "app=x", "Queue")
	f(near, relabel, "app=x", "app=y", "QueueSkip")
	f(near, relabel, "app=x", "app=x a=b", "QueueSkip")
	f(near, fwk.Delete, "app=x", "", "QueueSkip")
	f(far, fwk.Add, "", "app=y", "QueueSkip") // a pod with anti-affinity alone gains by nobody who comes
	f(far, fwk.Add, "", "app=x", "QueueSkip")
	f(far, relabel, "app=x", "app=y", "Queue")
	f(far, relabel, "app=y", "app=x", "QueueSkip")
	f(far, fwk.Delete, "app=x", "", "Queue")
	f(far, fwk.Delete, "app=y", "", "QueueSkip")
	f(far, fwk.Delete, "app=x in(other)", "", "QueueSkip")

	// Who is kept away by the others' anti-affinity gains when they go (B41).
	f("app=x", fwk.Delete, "far(zone app=x)", "", "Queue")
	f("app=y", fwk.Delete, "far(zone app=x)", "", "QueueSkip")
	f("app=x", fwk.Delete, "far(zone app=x) in(other)", "", "QueueSkip")
	f("app=x", fwk.Delete, "dislikes(9 zone app=x)", "", "QueueSkip")
	f("app=x", fwk.Delete, "far(zone app=-)", "", "Queue") // nobody can tell
	f("app=x", fwk.Add, "", "far(zone app=x)", "QueueSkip")
	f("app=x", fwk.UpdatePodScaleDown, "app=y", "app=y", "none")
}

// Upstream's hints miss these: test/oracle/deviations.yaml.
func TestPodsThatHelpByNamespaceOrAsAGroupWake(t *testing.T) {
	f := func(pod string, action fwk.ActionType, before, after, want string) {
		t.Helper()
		was, now := asObjects(before, after, onNode)
		if got := sim.WakeIn(place("n"), New(nil), fwk.AssignedPod, action, object.PodOf(pod), was, now); got != want {
			t.Errorf("%s, when %q becomes %q: %s, want %s", pod, before, after, got, want)
		}
	}
	// affinity-namespaces-hint
	f("near(zone app=x nsel:team=a)", fwk.Add, "", "app=x in(other)", "Queue")
	f("near(zone app=x nsel:team=a)", fwk.Add, "", "app=x in(third)", "QueueSkip")
	f("near(zone app=x nsel:!team)", fwk.Add, "", "app=x in(unseen)", "QueueSkip")
	f("far(zone app=x nsel:team=a)", fwk.Delete, "app=x in(other)", "", "Queue")
	f("far(zone app=x nsel:team=a)", fwk.Delete, "app=x in(third)", "", "QueueSkip")
	f("app=x in(other)", fwk.Delete, "far(zone app=x nsel:team=a)", "", "Queue")
	f("app=x in(third)", fwk.Delete, "far(zone app=x nsel:team=a)", "", "QueueSkip")
	// first-of-group-hint
	f("app=x near(zone app=x)", fwk.Delete, "app=x", "", "Queue")
	f("app=x near(zone app=x)", fwk.UpdatePodLabel, "app=x", "app=y", "Queue")
	f("app=y near(zone app=x)", fwk.Delete, "app=x", "", "QueueSkip")
	// each-anti-term-hint
	f("far(host all) far(zone app=x)", fwk.UpdatePodLabel, "app=x", "app=y", "Queue")
	f("far(host all) far(zone app=x)", fwk.UpdatePodLabel, "app=x", "app=x a=b", "QueueSkip")
}

func TestPodOnNoNodeWakesNobody(t *testing.T) {
	got := sim.Wake(New(nil), fwk.AssignedPod, fwk.Add, object.PodOf("near(zone app=x)"), nil, object.PodOf("app=x"))
	if got != "QueueSkip" {
		t.Errorf("%s, want QueueSkip", got)
	}
	nominated := object.PodOf("app=x")
	nominated.Status.NominatedNodeName = "n"
	if got := sim.Wake(New(nil), fwk.AssignedPod, fwk.Add, object.PodOf("near(zone app=x)"), nil, nominated); got != "Queue" {
		t.Errorf("one that is nominated: %s, want Queue", got)
	}
}

func TestNodeInAnotherDomainWakes(t *testing.T) {
	f := func(pod string, action fwk.ActionType, before, after, want string) {
		t.Helper()
		was, now := asObjects(before, after, object.NodeOf)
		if got := sim.WakeIn(place("m zone=z0: far(zone app=k)"), New(nil), fwk.Node, action, object.PodOf(pod), was, now); got != want {
			t.Errorf("%s, when %q becomes %q: %s, want %s", pod, before, after, got, want)
		}
	}
	const relabel = fwk.UpdateNodeLabel
	f("near(zone app=x)", fwk.Add, "", "n zone=z1", "Queue")
	f("near(zone app=x)", fwk.Add, "", "n", "QueueSkip")
	f("near(zone app=x)", relabel, "n", "n zone=z1", "Queue")
	f("near(zone app=x)", relabel, "n zone=z1", "n zone=z2", "Queue")
	f("near(zone app=x)", relabel, "n zone=z1", "n", "QueueSkip")
	f("near(zone app=x)", relabel, "n zone=z1", "n zone=z1 disk=ssd", "QueueSkip")
	f("far(zone app=x)", fwk.Add, "", "n", "Queue") // any node may be far enough
	f("far(zone app=x)", relabel, "n zone=z1", "n zone=z2", "Queue")
	f("far(zone app=x)", relabel, "n zone=z1", "n", "Queue")
	f("far(zone app=x)", relabel, "n", "n zone=z1", "QueueSkip")
	f("likes(1 zone app=x)", fwk.Add, "", "n zone=z1", "QueueSkip")
	// kept-away-node-hint: the anti-affinity of the pod on m is all that keeps it away.
	f("app=k", fwk.Add, "", "n zone=z1", "Queue")
	f("app=k", relabel, "n zone=z0", "n zone=z1", "Queue")
	f("app=k", relabel, "n zone=z0", "n zone=z0 disk=ssd", "QueueSkip")
	f("app=k", relabel, "n", "n zone=z1", "QueueSkip")
	f("app=j", fwk.Add, "", "n zone=z1", "QueueSkip")
	f("app=k", fwk.Add, "", "n", "Queue")
	// first-of-group-hint: without its partners the pod may be the first of its group.
	f("app=x near(zone app=x)", relabel, "n zone=z1", "n", "Queue")
	f("app=x near(zone app=x)", relabel, "n disk=ssd", "n", "QueueSkip")
	f("near(zone app=x)", fwk.UpdateNodeTaint, "n zone=z1", "n zone=z1", "none")
}

// Pods of a node that goes count nowhere from then on, though they have not been deleted
// (node-gone-hint, first-of-group-hint).
func TestNodeThatGoesTakesItsPodsAway(t *testing.T) {
	f := func(pod, stranded, want string) {
		t.Helper()
		w := place("m zone=z0: app=x far(zone app=k)")
		if stranded != "" {
			o := onNode(stranded)
			o.UID = "stranded"
			w.Bound = append(w.Bound, o)
		}
		if got := sim.WakeIn(w, New(nil), fwk.Node, fwk.Delete, object.PodOf(pod), object.NodeOf("n zone=z1"), nil); got != want {
			t.Errorf("%s, when a node goes with %q: %s, want %s", pod, stranded, got, want)
		}
	}
	f("app=x near(zone app=x)", "app=x", "Queue")
	f("app=x near(zone app=x)", "app=y", "QueueSkip")
	f("near(zone app=x)", "app=x", "QueueSkip") // it is not of the group
	f("far(zone app=x)", "app=x", "Queue")
	f("far(zone app=x)", "app=y", "QueueSkip")
	f("far(zone app=x)", "", "QueueSkip")
	f("app=k", "far(zone app=k)", "Queue")
	f("app=k", "far(zone app=j)", "QueueSkip")
	f("app=k", "", "QueueSkip")
	// The node was in no domain of the term.
	f("app=x near(region app=x)", "app=x", "QueueSkip")
	f("app=x near(region app=x) near(zone app=x)", "app=x", "Queue")
	f("far(region app=x)", "app=x", "QueueSkip")
	f("app=k", "far(region app=k)", "QueueSkip")
}

// The hint is asked when the node has left already, with the only pod that keeps others
// away on it.
func TestNodeThatLeavesWithWhoWantsToBeAloneWakes(t *testing.T) {
	f := func(nodes, pod, before, after, want string) {
		t.Helper()
		was, now := asObjects(before, after, object.NodeOf)
		if got := sim.WakeIn(place(nodes), New(nil), fwk.Node, fwk.UpdateNodeLabel, object.PodOf(pod), was, now); got != want {
			t.Errorf("%s, when %q becomes %q: %s, want %s", pod, before, after, got, want)
		}
	}
	f("n: far(zone app=k)", "app=k", "n zone=z1", "n", "Queue")
	f("n: far(zone app=k)", "app=k", "n", "n disk=ssd", "QueueSkip")
	f("n: likes(5 zone app=k)", "app=k", "n zone=z1", "n", "QueueSkip")
	f("n: near(zone app=k)", "app=k", "n zone=z1", "n", "QueueSkip")
}

func TestNamespaceThatIsMeantNowWakes(t *testing.T) {
	nodes := "n"
	f := func(pod string, action fwk.ActionType, before, after, want string) {
		t.Helper()
		was, now := asObjects(before, after, func(labels string) *corev1.Namespace { return namespaceOf("other", labels) })
		if got := sim.WakeIn(place(nodes), New(nil), framework.Namespace, action, object.PodOf(pod), was, now); got != want {
			t.Errorf("%s, when %q becomes %q: %s, want %s", pod, before, after, got, want)
		}
	}
	near, far := "near(zone app=x nsel:team=a)", "far(zone app=x nsel:team=a)"
	for _, pod := range []string{near, far} {
		f(pod, fwk.Add, "", "team=a", "Queue")
		f(pod, fwk.Add, "", "team=b", "QueueSkip")
		f(pod, fwk.Update, "team=b", "team=a", "Queue")
		f(pod, fwk.Update, "team=a", "team=b", "Queue")
		f(pod, fwk.Update, "team=a", "team=a a=b", "QueueSkip")
		f(pod, fwk.Delete, "team=a", "", "Queue")
	}
	f("near(zone app=x)", fwk.Update, "team=b", "team=a", "QueueSkip")
	f("near(zone app=x nsel:all)", fwk.Update, "team=b", "team=a", "QueueSkip")
	f("in(other)", fwk.Update, "team=b", "team=a", "QueueSkip")
	nodes = "n: far(zone app=x) near(zone app=x nsel:all)"
	f("in(other)", fwk.Update, "team=b", "team=a", "QueueSkip")
	nodes = "n: far(zone app=x nsel:team=b)" // which may mean it no more
	f("in(other)", fwk.Update, "team=b", "team=a", "Queue")
	f("in(other)", fwk.Delete, "team=b", "", "Queue")
	f("", fwk.Update, "team=b", "team=a", "QueueSkip")
}

func TestNewLabelsOfThePodItselfWake(t *testing.T) {
	pod := object.PodOf("app=x")
	if got := sim.Wake(New(nil), fwk.TargetPod, fwk.UpdatePodLabel, pod, pod, pod); got != "Queue" {
		t.Errorf("%s, want Queue", got)
	}
	if got := sim.Wake(New(nil), fwk.TargetPod, fwk.UpdatePodToleration, pod, pod, pod); got != "none" {
		t.Errorf("tolerations: %s, want none", got)
	}
}

func TestHintsRefuseOtherObjects(t *testing.T) {
	for _, e := range []struct {
		on   fwk.EventResource
		want string
	}{{fwk.AssignedPod, "*v1.Pod"}, {fwk.Node, "*v1.Node"}, {framework.Namespace, "*v1.Namespace"}} {
		got := sim.Wake(New(nil), e.on, fwk.Add, object.PodOf("near(zone app=x)"), nil, &corev1.Service{})
		if want := "Queue: expected " + e.want + " as the new object of an event, got *v1.Service"; got != want {
			t.Errorf("%s: %s, want %s", e.on, got, want)
		}
	}
}

func TestEqualFragmentsGetEqualAnswers(t *testing.T) {
	for _, args := range []*configv1.InterPodAffinityArgs{nil, weighing(7, true)} {
		for _, kind := range []string{"near", "far", "spread"} {
			sim.JudgeFragment(t, 50, sim.Kind(kind), func() framework.Plugin { return New(args) })
		}
	}
}
