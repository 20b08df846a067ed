package engine

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/config"
)

// sendBind asks for the binding, again if it was asked for before. To a node that went
// meanwhile none is sent again: what became of the first is looked up.
func (e *Engine) sendBind(p *pod) {
	_, known := e.cluster.Row(p.node)
	e.to(p, binding)
	e.queue.Done(p.spec.UID) // from here on a failure is an error, which needs no event
	p.looks = !known
	e.emit(Bind{Pod: p.chosen.Ref, Attempt: p.attempt, Node: p.node, Look: p.looks})
}

func (e *Engine) bindDone(now clock.Now, in BindDone) {
	p := e.pods[in.Pod.UID]
	if p == nil || p.attempt != in.Attempt || p.state != binding && p.state != unknown {
		return // it was settled in another way meanwhile
	}
	switch in.Result {
	case Bound:
		e.isBound(now, p, in.Node)
	case Unknown:
		if in.Message != "" {
			if p.failed++; p.failed == tellAfter {
				e.tell(p, corev1.EventTypeWarning, "FailedScheduling", "Scheduling", e.notBound(p, in.Message).text)
			}
		}
		e.repeatBind(now, p)
	case Withdrawn:
		e.withdrawn(now, p)
	case Gone:
		e.end(p, Gone)
		e.takeBack(now, p)
	case Refused:
		p.chain.Span(config.Bind, fwk.Error, now.Mono-p.since)
		e.end(p, Refused)
		message := in.Message
		if p.looks {
			message = nodeGone(p.node)
		}
		e.giveUp(now, p, e.notBound(p, message))
	default:
		panic(fmt.Sprintf("BUG: engine: unknown bind result %q", in.Result))
	}
}

// notBound is the failure of an attempt whose bind did not happen.
func (e *Engine) notBound(p *pod, why string) failure {
	return failure{
		verdict: Failed, nominate: &unnominated,
		text: fmt.Sprintf("running Bind plugin %q: %s", p.chain.Binder(), why),
	}
}

func nodeGone(name string) string { return fmt.Sprintf("node %q is gone", name) }

// tellAfter is how many failures of the API server to answer a bind users are told of. The
// room stays reserved, as the bind may have happened.
const tellAfter = 4

// repeatBind will send a bind again whose answer was lost.
func (e *Engine) repeatBind(now clock.Now, p *pod) {
	e.to(p, unknown)
	p.again = now.Mono + retryAfter(p.retries)
	e.timers.add(p.again, p)
	p.retries++
}

// withdrawn takes back a pod whose bind was never sent. Nothing has happened, so nobody is
// told. If it was a repetition, the first one may have happened all the same.
func (e *Engine) withdrawn(now clock.Now, p *pod) {
	if p.retries > 0 {
		e.repeatBind(now, p)
		return
	}
	e.end(p, Withdrawn)
	e.takeBack(now, p)
}

// takeBack returns a pod that was not bound to the queue without a word to anybody.
func (e *Engine) takeBack(now clock.Now, p *pod) {
	e.release(now, p)
	e.to(p, queued)
	e.nominator.Set(p.spec, p.nomination())
	e.queue.Requeue(now, p.spec.UID, nil, nil)
}

// isBound settles a bind that happened: ours, or somebody else's on another node.
func (e *Engine) isBound(now clock.Now, p *pod, node string) {
	if node == "" || node == p.node {
		e.settle(now, p)
		return
	}
	e.end(p, Refused)
	e.release(now, p)
	e.to(p, bound)
	p.node = node
	e.queue.Delete(p.spec.UID)
	e.cluster.AssumeOn(p.spec, node)
}

// settle ends a placement well. What was reserved belongs to the pod now.
func (e *Engine) settle(now clock.Now, p *pod) {
	p.chain.Span(config.Bind, fwk.Success, now.Mono-p.since)
	e.end(p, Bound)
	e.to(p, bound)
	p.holds = p.holds[:0]
	e.queue.Delete(p.spec.UID)
	e.tell(p, corev1.EventTypeNormal, "Scheduled", "Binding",
		fmt.Sprintf("Successfully assigned %s to %s", p.spec.Ref, p.node))
}

// end announces how a placement ended. The first word counts.
func (e *Engine) end(p *pod, r BindResult) {
	if !p.open {
		return
	}
	p.open = false
	e.out.Settled = append(e.out.Settled, Settled{Seq: p.attempt, Pod: p.spec.Ref, Node: p.node, Result: r})
}

// retryAfter is the wait before the nth repetition of a bind: 10ms, 50ms, 250ms, and
// so on up to 5s.
func retryAfter(n int) time.Duration {
	const first, most = 10 * time.Millisecond, 5 * time.Second
	d := first
	for range min(n, 5) {
		d *= 5
	}
	return min(d, most)
}
