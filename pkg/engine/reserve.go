package engine

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// reserve runs the Reserve plugins. False means that the attempt has failed.
func (e *Engine) reserve(now clock.Now, p *pod, row int32) bool {
	plugin, failed := p.chain.Reserve(p.chosen, row, func(plugin string, h framework.Hold) {
		p.holds = append(p.holds, held{plugin: plugin, Hold: h})
	})
	if failed == nil {
		return true
	}
	e.giveUp(now, p, refusedBy("Reserve", plugin, failed))
	return false
}

// permit runs the Permit plugins and notes who wants to wait. False means that the
// attempt has failed.
func (e *Engine) permit(now clock.Now, p *pod, row int32) bool {
	waits, plugin, failed := p.chain.Permit(p.chosen, row)
	if failed != nil {
		e.giveUp(now, p, refusedBy("Permit", plugin, failed))
		return false
	}
	p.since = now.Mono
	for _, w := range waits {
		p.waits = append(p.waits, wait{plugin: w.Plugin, timeout: w.Timeout, until: now.Mono + w.Timeout})
		e.timers.add(now.Mono+w.Timeout, p)
	}
	for _, h := range p.holds {
		if _, ok := h.Hold.(framework.Awaited); ok {
			p.pending = append(p.pending, h)
		}
	}
	if len(p.pending) > 0 {
		e.awaiting = append(e.awaiting, p)
	}
	return true
}

// proceed binds a pod as soon as it waits for nothing more.
func (e *Engine) proceed(now clock.Now, p *pod) {
	if len(p.waits) > 0 || !e.holdsReady(now, p) || p.state != waiting {
		return
	}
	e.stopAwaiting(p)
	p.since = now.Mono
	if _, known := e.cluster.Row(p.node); !known {
		e.giveUp(now, p, e.notBound(p, nodeGone(p.node)))
		return
	}
	e.sendBind(p)
}

// holdsReady reports whether everything that was reserved is there. One is waited for after
// the other, and the time of each begins when it is asked in vain.
func (e *Engine) holdsReady(now clock.Now, p *pod) bool {
	for len(p.pending) > 0 {
		h := &p.pending[0]
		a := h.Hold.(framework.Awaited)
		ready, failed := a.Ready(&e.cluster.View)
		if failed != nil {
			e.giveUp(now, p, refusedBy("PreBind", h.plugin, failed))
			return false
		}
		if !ready {
			if limit := a.Timeout(); limit > 0 && h.until == 0 {
				h.until = now.Mono + limit
				e.timers.add(h.until, p)
			}
			return false
		}
		p.pending = p.pending[1:]
	}
	return true
}

// checkHolds looks at the pods whose reservations were not ready, after a change.
func (e *Engine) checkHolds(now clock.Now) {
	if len(e.awaiting) == 0 { // most of the time
		return
	}
	for _, p := range slices.Clone(e.awaiting) {
		if p.state == waiting {
			e.proceed(now, p)
		}
	}
}

func (e *Engine) allow(now clock.Now, in Allow) {
	p := e.pods[in.Pod.UID]
	if p == nil || p.state != waiting {
		return
	}
	waited := len(p.waits) > 0
	p.waits = slices.DeleteFunc(p.waits, func(w wait) bool { return w.plugin == in.Plugin })
	if waited && len(p.waits) == 0 {
		p.chain.Span(config.Permit, fwk.Success, now.Mono-p.since)
	}
	e.proceed(now, p)
}

func (e *Engine) deny(now clock.Now, in Deny) {
	p := e.pods[in.Pod.UID]
	if p == nil || p.state != waiting || len(p.waits) == 0 {
		return
	}
	p.chain.Span(config.Permit, fwk.Unschedulable, now.Mono-p.since)
	e.giveUp(now, p, refusedBy("Permit", in.Plugin, fwk.NewStatus(fwk.Unschedulable, in.Message)))
}

// waitedTooLong ends the wait of a pod one of whose deadlines has passed.
func (e *Engine) waitedTooLong(now clock.Now, p *pod) {
	for _, w := range p.waits {
		if w.until <= now.Mono {
			p.chain.Span(config.Permit, fwk.Unschedulable, now.Mono-p.since)
			reason := fmt.Sprintf("rejected due to timeout after waiting %v at plugin %v", w.timeout, w.plugin)
			e.giveUp(now, p, refusedBy("Permit", w.plugin, fwk.NewStatus(fwk.Unschedulable, reason)))
			return
		}
	}
	if len(p.waits) > 0 || len(p.pending) == 0 {
		return
	}
	if h := p.pending[0]; h.until > 0 && h.until <= now.Mono {
		late := fwk.NewStatus(fwk.Error, "timed out waiting for what was reserved")
		e.giveUp(now, p, refusedBy("PreBind", h.plugin, late))
	}
}

// giveUp ends an attempt after the choice: the room is free again, others are woken,
// and the pod goes back to the queue. After an error it is woken as well, as it would
// otherwise miss what happened; after a refusal its own release must not help it.
func (e *Engine) giveUp(now clock.Now, p *pod, f failure) {
	freed := event(fwk.AssignedPod, fwk.Delete, reservedOn(p), nil)
	e.undo(p)
	if f.verdict == Failed {
		e.wake(now, freed)
		e.fail(now, p, f)
		return
	}
	e.fail(now, p, f)
	freed.Except = p.spec.UID
	e.wake(now, freed)
}

// release undoes a reservation and wakes others.
func (e *Engine) release(now clock.Now, p *pod) {
	if p.state.reserved() {
		e.undo(p)
		e.wake(now, event(fwk.AssignedPod, fwk.Delete, reservedOn(p), nil))
	}
}

// undo gives everything back that an attempt has taken, in reverse order. It is right
// in any state.
func (e *Engine) undo(p *pod) {
	e.stopAwaiting(p)
	for _, h := range slices.Backward(p.holds) {
		h.Undo()
	}
	p.holds, p.waits, p.pending = p.holds[:0], p.waits[:0], p.pending[:0]
	if p.state.reserved() {
		e.cluster.Forget(p.spec.UID)
	}
	e.end(p, Refused)
}

func (e *Engine) stopAwaiting(p *pod) {
	if i := slices.Index(e.awaiting, p); i >= 0 {
		e.awaiting = slices.Delete(e.awaiting, i, i+1)
	}
}

// reservedOn is the pod as others saw it while it was reserved: on its node.
func reservedOn(p *pod) *corev1.Pod { return onNode(p.chosen.API, p.node) }

// onNode is a pod on the node where it counted, which its own object may not tell yet.
func onNode(p *corev1.Pod, node string) *corev1.Pod {
	if p.Spec.NodeName == node {
		return p
	}
	api := *p
	api.Spec.NodeName = node
	return &api
}
