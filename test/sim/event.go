package sim

import (
	"cmp"
	"fmt"
	"strings"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
)

// event is a change as hints hear of it. An absent object is nil.
type event struct {
	on            fwk.EventResource
	before, after any
}

// events are the changes of nodes and of pods on nodes. Hints about the pod's own
// changes are asked for each pod, whatever its fragment.
func events(changes []Change) []event {
	var list []event
	for _, ch := range changes {
		e := event{on: fwk.Node}
		if ch.NodeBefore == nil && ch.NodeAfter == nil {
			e.on = fwk.AssignedPod
		}
		switch {
		case ch.NodeBefore != nil:
			e.before = ch.NodeBefore
		case ch.PodBefore != nil:
			e.before = ch.PodBefore
		}
		switch {
		case ch.NodeAfter != nil:
			e.after = ch.NodeAfter
		case ch.PodAfter != nil:
			e.after = ch.PodAfter
		}
		if p := cmp.Or(ch.PodBefore, ch.PodAfter); p == nil || p.Spec.NodeName != "" {
			list = append(list, e)
		}
	}
	return list
}

// reaches tells whether a hint for some events is asked about this one. Which of the
// updates it is makes no difference here.
func (e event) reaches(on fwk.ClusterEvent) bool {
	actions := on.ActionType &^ (fwk.Add | fwk.Delete)
	switch {
	case e.before == nil:
		actions = on.ActionType & fwk.Add
	case e.after == nil:
		actions = on.ActionType & fwk.Delete
	}
	return on.Resource == e.on && actions != 0
}

// wakes tells what a plugin's hints say of events.
func wakes(plugin framework.Plugin, c *framework.Cycle, list []event) string {
	h, ok := plugin.(framework.Hinter)
	if !ok {
		return ""
	}
	var b strings.Builder
	for i, hint := range h.Hints() {
		for k, e := range list {
			if hint.Ask == nil || !e.reaches(hint.On) {
				continue
			}
			answer, err := hint.Ask(c.View, c.Pod, e.before, e.after)
			fmt.Fprintln(&b, "hint", i, "event", k, answer, err)
		}
	}
	return b.String()
}
