package endstate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// shown is how many mistakes are told one by one.
const shown = 5

// State is what the API server holds.
type State struct {
	Nodes []corev1.Node
	Pods  []corev1.Pod

	Namespaces []corev1.Namespace
	Ruleless   bool // rules between pods are not looked at

	Events []eventsv1.Event // those with reason Scheduled
}

// Check compares a state with the pods that were to be scheduled.
func Check(s *State, measured []*corev1.Pod) error {
	c := &checker{nodes: map[string]*corev1.Node{}, pods: map[string]*corev1.Pod{}}
	for i := range s.Nodes {
		c.nodes[s.Nodes[i].Name] = &s.Nodes[i]
	}
	for i := range s.Pods {
		c.pods[key(&s.Pods[i])] = &s.Pods[i]
	}
	for _, pod := range measured {
		c.checkPod(pod)
	}
	c.checkEvents(s.Events, measured)
	c.checkRoom(s.Pods)
	if !s.Ruleless {
		c.checkBetween(s)
	}
	return c.verdict()
}

// checker gathers what is wrong.
type checker struct {
	nodes    map[string]*corev1.Node
	pods     map[string]*corev1.Pod
	mistakes []string
}

func (c *checker) wrong(format string, args ...any) {
	c.mistakes = append(c.mistakes, fmt.Sprintf(format, args...))
}

func (c *checker) verdict() error {
	n := len(c.mistakes)
	if n == 0 {
		return nil
	}
	text := strings.Join(c.mistakes[:min(n, shown)], "; ")
	if n > shown {
		text += fmt.Sprintf("; and %d more", n-shown)
	}
	return fmt.Errorf("the end state is wrong: %s", text)
}

func (c *checker) checkPod(wanted *corev1.Pod) {
	pod := c.pods[key(wanted)]
	switch {
	case pod == nil:
		c.wrong("pod %s is not there", key(wanted))
		return
	case pod.Spec.NodeName == "":
		c.wrong("pod %s has no node", key(pod))
		return
	}
	node := c.nodes[pod.Spec.NodeName]
	if node == nil {
		c.wrong("pod %s is on node %s, which is not there", key(pod), pod.Spec.NodeName)
		return
	}
	if ok, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); !ok || err != nil {
		c.wrong("pod %s is on node %s, which it may not be on", key(pod), node.Name)
	}
}

// checkEvents looks at what was told of each pod, in the words of every kube-scheduler.
func (c *checker) checkEvents(events []eventsv1.Event, measured []*corev1.Pod) {
	told := map[string]int{}
	for i := range events {
		about := events[i].Regarding.Namespace + "/" + events[i].Regarding.Name
		told[about]++
		pod := c.pods[about]
		if pod != nil && (pod.UID != events[i].Regarding.UID || !strings.HasSuffix(events[i].Note, " to "+pod.Spec.NodeName)) {
			c.wrong("the event of pod %s says %q, but it is on node %q", about, events[i].Note, pod.Spec.NodeName)
		}
	}
	for _, pod := range measured {
		if n := told[key(pod)]; n != 1 {
			c.wrong("pod %s has %d Scheduled events", key(pod), n)
		}
		delete(told, key(pod))
	}
	for _, about := range slices.Sorted(maps.Keys(told)) {
		c.wrong("pod %s was not to be scheduled and has a Scheduled event", about)
	}
}

func key(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }
