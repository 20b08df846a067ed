package process

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// byScheduler keeps the writes of the program to pods and events.
func byScheduler(e *controlplane.AuditEvent) bool {
	read := e.Verb == "get" || e.Verb == "list" || e.Verb == "watch"
	return !read && e.User.Username == controlplane.Scheduler && (e.ObjectRef.Resource == "pods" || e.ObjectRef.Resource == "events")
}

// last is a pod that any node takes. Its event is written after those before it.
const last = "curtain"

// written takes down what the program has written about each pod of the scene.
func (s *stage) written(ctx context.Context, requests map[string]string) error {
	if err := s.addPods(ctx, object.Pod(last, object.Tolerate("", "", ""))); err != nil {
		return err
	}
	var pods map[string]counts
	if err := s.until(ctx, "the events of all decisions", func(context.Context) error {
		log, err := s.Audit(func(e *controlplane.AuditEvent) bool { return byScheduler(e) && e.ObjectRef.Namespace == s.space() })
		if err != nil {
			return err
		}
		if pods, err = requestsByPod(log); err != nil {
			return err
		}
		if len(pods[last]) == 0 {
			return fmt.Errorf("nothing was written about %s", last)
		}
		for pod, lines := range pods {
			if missing := eventless(lines); missing != "" {
				return fmt.Errorf("%s of %s has no event yet", missing, pod)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	delete(pods, last) // where it goes may be a matter of chance
	there, err := s.Client(controlplane.Admin).CoreV1().Pods(s.space()).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range there.Items { // also those about which nothing was written
		if group := groupOf(there.Items[i].Name); pods[group] == nil && group != last {
			pods[group] = counts{}
		}
	}
	for pod, lines := range pods {
		requests[s.name+": "+pod] = lines.String()
	}
	return nil
}

// requestsByPod says for each pod, or group of pods that are alike, what was written and
// how often.
func requestsByPod(log []controlplane.AuditEvent) (map[string]counts, error) {
	all := map[string]counts{}
	for i := range log {
		pod, line, err := describe(&log[i])
		if err != nil {
			return nil, err
		}
		group := groupOf(pod)
		if all[group] == nil {
			all[group] = counts{}
		}
		line = strings.ReplaceAll(line, pod, group)
		all[group][line]++
		if strings.Contains(line, " "+refused+" ") {
			all[group][line] = 1 // how often it is written depends on what is a repetition
		}
	}
	return all, nil
}

const refused = "FailedScheduling"

// number is the end of the name of a pod that has others of its kind.
var number = regexp.MustCompile(`-\d+$`)

func groupOf(pod string) string { return number.ReplaceAllString(pod, "-n") }

// describe says which pod a request was about, and what it was: of an event what it says,
// of a binding the body, and of a status patch the condition that came of it.
func describe(e *controlplane.AuditEvent) (pod, line string, err error) {
	ref := e.ObjectRef
	line = fmt.Sprintf("%s %s/%s %d", e.Verb, ref.Resource, ref.Subresource, e.ResponseStatus.Code)
	switch {
	case e.ResponseStatus.Code >= 300:
		return ref.Name, line + " " + e.ResponseStatus.Message, nil
	case ref.Resource == "events":
		event := eventsv1.Event{}
		err = json.Unmarshal(e.ResponseObject, &event)
		if event.Reason == refused { // the first of its kind, or a repetition
			line = "write events/ 2xx"
		}
		return event.Regarding.Name, line + fmt.Sprintf(" %s %s %s: %s", event.Type, event.Reason, event.Action, event.Note), err
	case ref.Subresource == "status":
		after := corev1.Pod{}
		err = json.Unmarshal(e.ResponseObject, &after)
		return ref.Name, line + " " + conditionOf(&after), err
	}
	body, err := plain(e.RequestObject)
	return ref.Name, line + " " + body, err
}

func conditionOf(pod *corev1.Pod) string {
	i := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodScheduled })
	if i < 0 {
		return "no condition"
	}
	c := pod.Status.Conditions[i]
	return fmt.Sprintf("%d conditions, %s %s generation %d, since %v, nominated %q: %s", len(pod.Status.Conditions), c.Status, c.Reason,
		c.ObservedGeneration, !c.LastTransitionTime.IsZero(), pod.Status.NominatedNodeName, c.Message)
}

// eventless says what was decided about a pod, or a group, and has no event yet.
func eventless(lines counts) string {
	var bindings, bound, refusals, told float64
	for line, n := range lines {
		switch {
		case strings.HasPrefix(line, "create pods/binding 201"):
			bindings += n
		case strings.Contains(line, " Scheduled Binding: "):
			bound += n
		case strings.HasPrefix(line, "patch pods/status 200"):
			refusals += n
		case strings.Contains(line, " "+refused+" "):
			told += n
		}
	}
	switch {
	case bindings > bound:
		return "a binding"
	case refusals > 0 && told == 0:
		return "a refusal"
	}
	return ""
}
