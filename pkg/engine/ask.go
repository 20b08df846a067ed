package engine

import (
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// asRejector is the name under which all askers reject.
const asRejector = "Extender"

// line is an asker and the pods that need him. One question is out at a time; the
// other pods wait without holding anything.
type line struct {
	asker Asker
	pods  []*pod // the first is the one asked about, unless it has gone meanwhile
	out   uint64 // the attempt of the question that is out, 0 when none is
}

// ask puts the pod before the next asker that cares, if there is one. The attempt
// goes on when he has answered; other pods go on meanwhile.
func (e *Engine) ask(p *pod) bool {
	l := e.nextAsker(p)
	if l == nil {
		return false
	}
	if p.state == asking && !slices.Contains(l.pods, p) {
		e.leaveLine(p) // of an asker who does not care for it any more
	}
	e.to(p, asking)
	if !slices.Contains(l.pods, p) {
		l.pods = append(l.pods, p)
	}
	if l.out == 0 && l.pods[0] == p {
		l.out = p.attempt
		e.emit(Ask{Attempt: p.attempt, Asker: l.asker.Name(), Pod: p.spec.Ref, Nodes: e.names(p.chain.Feasible())})
	}
	return true
}

// nextAsker returns the line of the first interested asker that has not answered.
func (e *Engine) nextAsker(p *pod) *line {
	answered := len(p.answers)
	for i := range e.askers {
		if !e.askers[i].asker.Interested(p.spec) {
			continue
		}
		if answered == 0 {
			return &e.askers[i]
		}
		answered--
	}
	return nil
}

func (e *Engine) answered(now clock.Now, in Answered) {
	l := e.asked(in.Attempt)
	if l == nil {
		return
	}
	l.out = 0
	if len(l.pods) > 0 && l.pods[0].attempt == in.Attempt { // else the pod has gone
		p := l.pods[0]
		l.leave(p)
		e.goOn(now, p, in)
	}
	for l.out == 0 && len(l.pods) > 0 {
		e.attemptOn(now, l.pods[0]) // on the cluster as it is now; it asks, or leaves the line
	}
}

// goOn continues an attempt with an answer.
func (e *Engine) goOn(now clock.Now, p *pod, in Answered) {
	if in.Error != "" {
		e.fail(now, p, failure{verdict: Failed, text: in.Error, nominate: &unnominated})
		return
	}
	p.answers = append(p.answers, in)
	e.attemptOn(now, p)
}

// asked returns the line whose question an answer is for.
func (e *Engine) asked(attempt uint64) *line {
	for i := range e.askers {
		if l := &e.askers[i]; l.out == attempt && attempt != 0 {
			return l
		}
	}
	return nil
}

func (l *line) leave(p *pod) {
	if i := slices.Index(l.pods, p); i >= 0 {
		l.pods = slices.Delete(l.pods, i, i+1)
	}
}

// leaveLine takes a pod that will not be placed out of the lines. If it was asked
// about, the next pod's turn comes with the answer.
func (e *Engine) leaveLine(p *pod) {
	if p.state != asking {
		return
	}
	for i := range e.askers {
		e.askers[i].leave(p)
	}
}

// answerOf turns names into rows of the present cluster.
func (e *Engine) answerOf(in *Answered) *framework.Answer {
	a := &framework.Answer{By: asRejector, Keep: e.rowsOf(in.Keep...)}
	for _, f := range in.Failed {
		v := framework.Verdict{Code: fwk.Unschedulable, Reason: f.Reason, Rows: e.rowsOf(f.Node)}
		if f.Unsolvable {
			v.Code = fwk.UnschedulableAndUnresolvable
		}
		a.Failed = append(a.Failed, v)
	}
	return a
}

func (e *Engine) rowsOf(nodes ...string) (rows bitset.Set) {
	rows.Resize(e.cluster.Rows())
	for _, name := range nodes {
		if row, known := e.cluster.Row(name); known {
			rows.Add(row)
		}
	}
	return rows
}

func (e *Engine) names(rows *bitset.Set) []string {
	names := make([]string, 0, rows.Count())
	for row := range rows.All() {
		names = append(names, e.cluster.Name(row))
	}
	return names
}
