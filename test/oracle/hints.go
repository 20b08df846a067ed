package oracle

import (
	"slices"
	"strings"

	"github.com/go-logr/logr"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	ours "github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// A hint is asked about the pod as it is when the event comes, so for a change of the
// pod itself it is given the later state.

// listener is one registration of a plugin: a kind of event, and what it says to one.
type listener struct {
	on  fwk.ClusterEvent
	ask func(h happening) (fwk.QueueingHint, error) // nil says Queue
}

// hear asks each plugin about all that happens in a question.
func (q *Question) hear(plugins []string, listeners func(plugin string) []listener) []Hint {
	var hints []Hint
	for i, e := range q.Events {
		for _, h := range q.happenings(e) {
			for _, plugin := range plugins {
				hint := Hint{Event: i, On: h.label(), Plugin: plugin}
				hint.Wake, hint.Err = listen(listeners(plugin), h)
				hints = append(hints, hint)
			}
		}
	}
	return hints
}

// listen is what several registrations come to: one that says Queue is enough. An
// error counts as Queue.
func listen(listeners []listener, h happening) (wake Wake, failed string) {
	wake = Deaf
	for _, l := range listeners {
		if !framework.MatchClusterEvents(l.on, h.ClusterEvent) {
			continue
		}
		if l.ask == nil {
			return Queue, ""
		}
		hint, err := l.ask(h)
		switch {
		case err != nil:
			return Queue, err.Error()
		case hint == fwk.Queue:
			return Queue, ""
		}
		wake = Skip
	}
	return wake, ""
}

// Waker is a plugin and a kind of event that it listens to.
type Waker struct {
	Plugin string
	On     fwk.ClusterEvent
}

// wakers lists what upstream's plugins listen to of nodes and pods, and what ours
// listen to besides, one action at a time.
func (o *Oracle) wakers(s sides) ([]Waker, error) {
	have, _, err := instances(s.berth.profile)
	if err != nil {
		return nil, err
	}
	var list []Waker
	for _, plugin := range o.Compared {
		for _, e := range s.upstream.listeners[plugin] {
			if e.Event.Resource == fwk.Node || isPod(e.Event.Resource) {
				list = append(list, single(plugin, e.Event)...)
			}
		}
	}
	for _, e := range have {
		hinter, ok := e.Plugin.(ours.Hinter)
		if !ok {
			continue
		}
		for _, h := range hinter.Hints() {
			if r := h.On.Resource; r != ours.Namespace && r != ours.TerminatingPod && r != ours.Backers { // which upstream has not
				list = append(list, single(hinter.Name(), h.On)...)
			}
		}
	}
	slices.SortFunc(list, func(a, b Waker) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(list), nil
}

// String is the plugin and the event as in a coverage's table.
func (w Waker) String() string { return w.Plugin + " " + w.On.Label() }

func isPod(r fwk.EventResource) bool {
	return r == fwk.Pod || r == fwk.AssignedPod || r == fwk.UnscheduledPod || r == fwk.TargetPod
}

// single takes a registration to pieces: one resource and one action each.
func single(plugin string, on fwk.ClusterEvent) []Waker {
	resources := []fwk.EventResource{on.Resource}
	if on.Resource == fwk.Pod {
		resources = []fwk.EventResource{fwk.AssignedPod, fwk.UnscheduledPod, fwk.TargetPod}
	}
	var list []Waker
	for _, r := range resources {
		for action := fwk.Add; action < fwk.All; action <<= 1 {
			if on.ActionType&action != 0 && happens(r, action) {
				list = append(list, Waker{plugin, fwk.ClusterEvent{Resource: r, ActionType: action}})
			}
		}
	}
	return list
}

// happens reports whether there is such an action on a resource. A policy of nodes
// needs a gate that is off.
func happens(r fwk.EventResource, a fwk.ActionType) bool {
	ofNodes := a >= fwk.UpdateNodeAllocatable && a < fwk.UpdateNodePreemptionPolicy
	ofPods := a >= fwk.UpdatePodLabel
	whole := a == fwk.Add || a == fwk.Delete
	switch r {
	case fwk.Node:
		return whole || ofNodes
	case fwk.TargetPod:
		return ofPods
	case fwk.AssignedPod:
		return whole || ofPods && a != fwk.UpdatePodSchedulingGatesEliminated
	case fwk.UnscheduledPod:
		return whole || ofPods
	}
	return whole || a == fwk.UpdateNodeAllocatable // one update stands for all
}

func (u *Upstream) hints(q *Question, plugins []string) []Hint {
	return q.hear(plugins, func(plugin string) []listener {
		var list []listener
		for _, e := range u.listeners[plugin] {
			l := listener{on: e.Event}
			if e.QueueingHintFn != nil {
				l.ask = func(h happening) (fwk.QueueingHint, error) {
					return e.QueueingHintFn(logr.Discard(), h.subject(q.Pod), h.before, h.after)
				}
			}
			list = append(list, l)
		}
		return list
	})
}

// hints are asked of the plugins that can reject. One that names no events is woken by
// everything.
func (b *Berth) hints(q *Question, plugins []string, v *cluster.View, specs *podspec.Compiler, chain *runtime.Chain) []Hint {
	return q.hear(plugins, func(plugin string) []listener {
		var list []listener
		for _, hint := range registered(chain, plugin) {
			l := listener{on: hint.On}
			if hint.Ask != nil {
				l.ask = func(h happening) (fwk.QueueingHint, error) {
					pod := specs.Compile(trimPod(h.subject(q.Pod)))
					return hint.Ask(v, pod, trim(h.before), trim(h.after))
				}
			}
			list = append(list, l)
		}
		return list
	})
}

func registered(chain *runtime.Chain, plugin string) []ours.Hint {
	for _, p := range chain.Rejectors() {
		if p.Name() != plugin {
			continue
		}
		if hinter, ok := p.(ours.Hinter); ok {
			return hinter.Hints()
		}
		return queue.Everything()
	}
	return nil
}
