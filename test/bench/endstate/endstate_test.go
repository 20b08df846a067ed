package endstate

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// world is two nodes and two measured pods, one on each, as a good run leaves them.
func world() (*State, []*corev1.Pod) {
	options := []object.PodOption{object.CPU("1"), object.HostPort(80, corev1.ProtocolTCP), object.NodeSelector("disk", "ssd")}
	s, measured := &State{}, []*corev1.Pod{}
	for i := range 2 {
		node := object.Node(fmt.Sprintf("n%d", i), object.CPU("2"), object.Pods("2"), object.Label("disk", "ssd"))
		s.Nodes = append(s.Nodes, *node)
		pod := object.Pod(fmt.Sprintf("p%d", i), options...)
		measured = append(measured, pod.DeepCopy())
		pod.UID, pod.Spec.NodeName = types.UID(pod.Name), node.Name
		s.Pods = append(s.Pods, *pod)
		s.Events = append(s.Events, scheduled(pod, node.Name))
	}
	return s, measured
}

func scheduled(pod *corev1.Pod, node string) eventsv1.Event {
	return eventsv1.Event{
		Reason: "Scheduled", Note: fmt.Sprintf("Successfully assigned %s to %s", key(pod), node),
		Regarding: corev1.ObjectReference{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
	}
}

func TestGoodRunHasNothingWrong(t *testing.T) {
	if err := Check(world()); err != nil {
		t.Error(err)
	}
}

func TestEachMistakeIsFound(t *testing.T) {
	f := func(want string, spoil func(s *State)) {
		t.Helper()
		s, measured := world()
		spoil(s)
		if err := Check(s, measured); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	bound := func(name, node string, options ...object.PodOption) corev1.Pod {
		return *object.Pod(name, append(options, object.OnNode(node))...)
	}
	f("pod default/p1 is not there", func(s *State) { s.Pods = s.Pods[:1] })
	f("pod default/p1 has no node", func(s *State) { s.Pods[1].Spec.NodeName = "" })
	f("on node n9, which is not there", func(s *State) { s.Pods[1].Spec.NodeName = "n9" })
	f("which it may not be on", func(s *State) { s.Nodes[1].Labels = nil })
	f("pod default/p1 has 0 Scheduled events", func(s *State) { s.Events = s.Events[:1] })
	f("pod default/p0 has 2 Scheduled events", func(s *State) { s.Events = append(s.Events, s.Events[0]) })
	f(`but it is on node "n1"`, func(s *State) { s.Events[1] = scheduled(&s.Pods[1], "n0") })
	f("was not to be scheduled", func(s *State) {
		init := bound("init", "n0")
		s.Pods, s.Events = append(s.Pods, init), append(s.Events, scheduled(&init, "n0"))
	})
	f("node n0 holds 3 of cpu, it has 2", func(s *State) { s.Pods = append(s.Pods, bound("init", "n0", object.CPU("2"))) })
	f("node n0 holds 3 of pods, it has 2", func(s *State) { s.Pods = append(s.Pods, bound("a", "n0"), bound("b", "n0")) })
	f("node n0 has 2 pods with host port TCP :80", func(s *State) {
		s.Pods = append(s.Pods, bound("init", "n0", object.HostPort(80, corev1.ProtocolTCP)))
	})
}

func TestManyMistakesAreCounted(t *testing.T) {
	s, measured := world()
	for i := range 9 {
		measured = append(measured, object.Pod(fmt.Sprintf("lost%d", i)))
	}
	if err := Check(s, measured); err == nil || !strings.HasSuffix(err.Error(), "; and 13 more") {
		t.Errorf("got %v, want 9 pods that are not there and 9 without an event, 5 of them told", err)
	}
}

func TestPodsThatWereThereBeforeNeedNoEvent(t *testing.T) {
	s, measured := world()
	s.Pods = append(s.Pods, *object.Pod("init", object.OnNode("n0"), object.CPU("1")))
	if err := Check(s, measured); err != nil {
		t.Error(err)
	}
}
