package engine

import (
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// decide makes the next decision: pop, narrow, ask if somebody must be asked, rank,
// reserve.
func (e *Engine) decide(now clock.Now) {
	e.cluster.Turn()
	it := e.queue.Pop(now)
	if it == nil {
		return
	}
	p := e.pods[it.Pod.UID]
	e.attempts++
	p.attempt = e.attempts
	p.answers = p.answers[:0]
	p.retries, p.failed, p.looked = 0, 0, 0
	if p.spec.Deleting {
		e.skip(now, p)
		return
	}
	if e.cluster.Nodes() == 0 {
		e.fail(now, p, failure{verdict: Unschedulable, text: "no nodes available to schedule pods", nominate: &unnominated})
		return
	}
	e.attemptOn(now, p)
}

// attemptOn runs the chain on the cluster as it is now. It comes back here with each
// answer of an asker.
func (e *Engine) attemptOn(now clock.Now, p *pod) {
	feasible, err := p.chain.Narrow(p.spec)
	p.looked = p.chain.Evaluated()
	if err != nil {
		e.failWith(now, p, err)
		return
	}
	for i := range p.answers { // they name nodes; rows may have changed hands since
		feasible = p.chain.Keep(e.answerOf(&p.answers[i]))
	}
	if feasible == 0 {
		e.noFit(now, p)
		return
	}
	if e.ask(p) {
		return
	}
	draw := e.chance.Uint64()
	choice, err := p.chain.Rank(draw)
	if err != nil {
		e.failWith(now, p, err)
		return
	}
	e.place(now, p, choice, feasible, draw)
}

// place reserves the chosen row and lets the pod wait or be bound.
func (e *Engine) place(now clock.Now, p *pod, choice runtime.Choice, feasible int, draw uint64) {
	e.leaveLine(p)
	p.chosen = p.spec
	p.node = e.cluster.Name(choice.Row)
	e.cluster.Assume(p.spec, choice.Row)
	nominated := e.nominator.NodeOf(p.spec.UID)
	e.nominator.Delete(p.spec.UID)
	e.to(p, waiting)
	goesOn := e.reserve(now, p, choice.Row) && e.permit(now, p, choice.Row)
	e.freed(now, p, nominated, p.node)
	if !goesOn {
		return
	}
	d := e.decision(now, p, Placed)
	d.Node, d.Feasible, d.Score = p.node, feasible, choice.Score
	if d.Ties = choice.Ties; d.Ties > 1 {
		d.Draw = draw
	}
	e.out.Decisions = append(e.out.Decisions, d)
	p.open = true
	e.proceed(now, p)
}

func (e *Engine) noFit(now clock.Now, p *pod) {
	why, err := p.chain.Explain()
	if err != nil {
		e.failWith(now, p, err)
		return
	}
	nominate := why.Nominate
	if nominate == nil && !p.chain.MakesRoom() && !e.roomComes(p) {
		nominate = &unnominated
	}
	e.fail(now, p, failure{verdict: Unschedulable, text: why.Text(), plugins: why.Plugins, pending: why.Pending, nominate: nominate})
}

// roomComes reports whether pods of lower priority are about to leave the node that a pod is
// nominated to, and the node may take it then. So the nomination is worth keeping, whoever
// made it. To say so belongs to DefaultPreemption, which is not built yet.
func (e *Engine) roomComes(p *pod) bool {
	row, known := e.cluster.Row(e.nominator.NodeOf(p.spec.UID))
	if !known { // most pods have no nomination
		return false
	}
	if may := p.chain.Verdicts().Resolvable(); !may.Has(row) {
		return false
	}
	for o := range e.cluster.PodsOn(row) {
		if o.Deleting && o.Priority < p.spec.Priority {
			return true
		}
	}
	return false
}

// skip ends the attempts of a pod that is being deleted.
func (e *Engine) skip(now clock.Now, p *pod) {
	d := e.decision(now, p, Skipped)
	d.Message = "skip schedule deleting pod: " + p.spec.Ref.String()
	e.out.Decisions = append(e.out.Decisions, d)
	e.tell(p, "Warning", "FailedScheduling", "Scheduling", d.Message)
	e.drop(now, p)
}

// drop gives a pod up that will not be placed any more. Its record stays until the
// pod is gone, so that nothing files it again.
func (e *Engine) drop(now clock.Now, p *pod) {
	e.leaveLine(p)
	e.queue.Delete(p.spec.UID)
	e.unnominate(now, p, "")
	e.to(p, dropped)
}

// unnominate ends the nomination of a pod that is on a node now, or on none. The room that
// it kept elsewhere is free for those whom it kept away: pods of no higher priority.
func (e *Engine) unnominate(now clock.Now, p *pod, node string) {
	was := e.nominator.NodeOf(p.spec.UID)
	e.nominator.Delete(p.spec.UID)
	e.freed(now, p, was, node)
}

// freed wakes those whom a nomination kept away that was for one node and is for another
// now, or none. No reservation waits for that.
func (e *Engine) freed(now clock.Now, p *pod, was, is string) {
	if was == "" || was == is {
		return
	}
	ev := event(fwk.AssignedPod, fwk.Delete, onNode(p.spec.API, was), nil)
	ev.UpTo, ev.Except = &p.spec.Priority, p.spec.UID
	e.queue.Wake(now, ev)
}

func (e *Engine) decision(now clock.Now, p *pod, v Verdict) Decision {
	d := Decision{
		Seq: p.attempt, Pod: p.spec.Ref, Profile: p.chain.Profile(), Verdict: v,
		Nodes: e.cluster.Nodes(), Looked: p.looked,
	}
	if it := e.queue.Get(p.spec.UID); it != nil {
		d.Attempts, d.Flushed = it.Attempts, it.Flushed
		d.Waited = now.Mono - it.FirstTried
	}
	return d
}
