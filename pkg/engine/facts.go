package engine

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

func (e *Engine) nodeSeen(now clock.Now, n *corev1.Node) {
	var before *corev1.Node
	if row, known := e.cluster.Row(n.Name); known {
		before = e.cluster.Node(row)
		if !newer(n.ResourceVersion, before.ResourceVersion) {
			return
		}
	}
	e.cluster.SetNode(n)
	if before == nil {
		e.happened(now, event(fwk.Node, fwk.Add, nil, n))
		return
	}
	for _, ev := range nodeEvents(before, n) {
		e.happened(now, queue.Event{ClusterEvent: ev, Before: before, After: n})
	}
}

func (e *Engine) nodeGone(now clock.Now, name string) {
	row, known := e.cluster.Row(name)
	if !known {
		return
	}
	before := e.cluster.Node(row)
	e.cluster.RemoveNode(name)
	e.happened(now, event(fwk.Node, fwk.Delete, before, nil))
}

func (e *Engine) podSeen(now clock.Now, api *corev1.Pod) {
	if known := e.latest(api); known != nil && !newer(api.ResourceVersion, known.ResourceVersion) {
		return
	}
	p := e.pods[api.UID]
	switch {
	case api.Spec.NodeName != "":
		e.podOnNode(now, p, e.compiler.Compile(api))
	case p != nil:
		e.podChanged(now, p, e.compiler.Compile(api))
	case e.cluster.Remove(api.UID): // the API never takes a node away; were it to, we would follow
		e.podSeen(now, api)
	case e.chains[api.Spec.SchedulerName] != nil:
		e.podCame(now, e.compiler.Compile(api))
	}
}

// latest returns the newest version seen of a pod, nil when it is not known.
func (e *Engine) latest(api *corev1.Pod) *corev1.Pod {
	if p := e.pods[api.UID]; p != nil {
		return p.spec.API
	}
	if place, ok := e.cluster.Lookup(api.UID); ok {
		return place.Pod.API
	}
	return nil
}

func (e *Engine) podCame(now clock.Now, spec *podspec.Pod) {
	e.pods[spec.UID] = &pod{spec: spec, chain: e.chains[spec.Scheduler], state: queued}
	if !spec.Deleting {
		e.nominator.Set(spec, spec.Nominated)
	}
	e.handled(fwk.ClusterEvent{Resource: fwk.UnscheduledPod, ActionType: fwk.Add})
	e.queue.Add(now, spec)
}

// handled notes which events an input was, for metrics: an update is itself, and what it
// changed. A general update of a pod on a node is counted twice and of one that waits once,
// as kube-scheduler does.
func (e *Engine) handled(events ...fwk.ClusterEvent) {
	for i := range events {
		e.out.Events = append(e.out.Events, events[i].Label())
	}
}

// podChanged brings a pod of ours up to date that has no node yet.
func (e *Engine) podChanged(now clock.Now, p *pod, spec *podspec.Pod) {
	before, nominated := p.spec, e.nominator.NodeOf(spec.UID)
	p.spec = spec
	if c := podScheduled(spec.API); p.written != nil && c != nil && sameCondition(c, p.written) {
		p.written = nil // it has arrived
	}
	if p.nominated != nil && *p.nominated == spec.Nominated {
		p.nominated = nil
	}
	switch {
	case p.state == dropped || spec.Deleting && p.state.reserved():
		// The API binds no pod that is being deleted, so its room is free from now
		// on, whatever becomes of a bind that is under way.
		e.end(p, Gone)
		e.release(now, p)
		e.drop(now, p)
		return
	case p.state.reserved():
	case spec.Deleting:
		e.nominator.Delete(spec.UID)
	default:
		e.nominator.Update(before, spec)
	}
	changes := podEvents(fwk.TargetPod, before, spec)
	e.handled(fwk.ClusterEvent{Resource: fwk.UnscheduledPod, ActionType: fwk.Update})
	for _, c := range changes {
		if c.ActionType != fwk.Update {
			e.handled(fwk.ClusterEvent{Resource: fwk.UnscheduledPod, ActionType: c.ActionType})
		}
	}
	if before.Controller != spec.Controller { // of which upstream has no event
		changes = append(changes, fwk.ClusterEvent{Resource: framework.AdoptedPod, ActionType: fwk.Update})
	}
	e.queue.Update(now, spec, changes, before.API, spec.API)
	e.freed(now, p, nominated, e.nominator.NodeOf(spec.UID))
}

// podOnNode counts a pod on its node. If it was ours to place, that is over.
func (e *Engine) podOnNode(now clock.Now, p *pod, spec *podspec.Pod) {
	if p != nil {
		e.placedBy(now, p, spec.NodeName)
	}
	place, counted := e.cluster.Lookup(spec.UID)
	e.cluster.SetPod(spec)
	if !counted || place.Assumed {
		e.happened(now, event(fwk.AssignedPod, fwk.Add, nil, spec.API))
		return
	}
	e.handled(fwk.ClusterEvent{Resource: fwk.AssignedPod, ActionType: fwk.Update})
	for _, ev := range podEvents(fwk.AssignedPod, place.Pod, spec) {
		e.happened(now, queue.Event{ClusterEvent: ev, Before: place.Pod.API, After: spec.API})
	}
	if spec.Deleting && !place.Pod.Deleting {
		e.wake(now, event(framework.TerminatingPod, fwk.Add, nil, spec.API))
	}
}

// placedBy ends the record of a pod that was seen on a node.
func (e *Engine) placedBy(now clock.Now, p *pod, node string) {
	if p.state.isBeingBound() && p.node == node {
		e.settle(now, p) // our bind; its answer is late or lost
	}
	if p.state != bound || p.node != node {
		e.release(now, p) // somebody else was faster
	}
	e.unnominate(now, p, node)
	e.retire(now, p)
}

// retire takes a pod out of everything but the cluster: it waits for a node no more.
func (e *Engine) retire(now clock.Now, p *pod) {
	e.handled(fwk.ClusterEvent{Resource: fwk.UnscheduledPod, ActionType: fwk.Delete})
	e.drop(now, p)
	delete(e.pods, p.spec.UID)
}

func (e *Engine) podGone(now clock.Now, ref podspec.Ref) {
	place, counted := e.cluster.Lookup(ref.UID)
	if p := e.pods[ref.UID]; p != nil {
		e.ourPodGone(now, p)
	}
	if counted {
		e.cluster.Remove(ref.UID) // unless it was assumed and undone just now
		e.happened(now, event(fwk.AssignedPod, fwk.Delete, onNode(place.Pod.API, place.Node), nil))
	}
}

func (e *Engine) ourPodGone(now clock.Now, p *pod) {
	e.end(p, Gone)
	e.undo(p)
	e.retire(now, p)
}

func event(r fwk.EventResource, a fwk.ActionType, before, after any) queue.Event {
	return queue.Event{ClusterEvent: fwk.ClusterEvent{Resource: r, ActionType: a}, Before: before, After: after}
}

// happened is wake for what the API server told.
func (e *Engine) happened(now clock.Now, ev queue.Event) {
	e.handled(ev.ClusterEvent)
	e.wake(now, ev)
}

// wake tells the queue, and those whose reservations were not ready, of a change.
func (e *Engine) wake(now clock.Now, ev queue.Event) {
	e.checkHolds(now)
	e.queue.Wake(now, ev)
}

// newer reports whether version a follows b. What cannot be compared is taken as
// news, as refusing it could lose something.
func newer(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err != nil || order > 0
}
