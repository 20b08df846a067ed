package engine

import (
	"errors"
	"fmt"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// failure is how an attempt failed.
type failure struct {
	verdict  Verdict // Unschedulable or Failed
	text     string
	plugins  []string // who refused; none means that time helps, not events
	pending  []string // those of them that wait for something outside
	nominate *string  // nil leaves the nomination alone
	stack    string
}

// unnominated clears a nomination.
var unnominated = ""

// fail ends an attempt without a node: back to the queue, tell the user, write the
// condition.
func (e *Engine) fail(now clock.Now, p *pod, f failure) {
	d := e.decision(now, p, f.verdict)
	d.Message, d.Plugins, d.Stack = f.text, f.plugins, f.stack
	e.out.Decisions = append(e.out.Decisions, d)

	e.leaveLine(p)
	e.to(p, queued)
	nominated := e.nominator.NodeOf(p.spec.UID)
	if f.nominate != nil {
		e.nominator.Set(p.spec, *f.nominate)
	}
	e.queue.Requeue(now, p.spec.UID, f.plugins, f.pending)
	e.tell(p, corev1.EventTypeWarning, "FailedScheduling", "Scheduling", f.text)
	e.writeStatus(now, p, f)
	e.freed(now, p, nominated, e.nominator.NodeOf(p.spec.UID))
}

// failWith fails an attempt with an error.
func (e *Engine) failWith(now clock.Now, p *pod, err error) {
	f := failure{verdict: Failed, text: err.Error(), nominate: &unnominated}
	var panicked *framework.PanicError
	if errors.As(err, &panicked) {
		f.stack = string(panicked.Stack)
	}
	e.fail(now, p, f)
}

// refusedBy is the failure of an attempt whose chosen node a later plugin refused.
func refusedBy(point, plugin string, s *fwk.Status) failure {
	if !s.IsRejected() {
		return failure{
			verdict: Failed, nominate: &unnominated,
			text: fmt.Sprintf("running %s plugin %q: %s", point, plugin, s.Message()),
		}
	}
	f := failure{
		verdict: Unschedulable, nominate: &unnominated,
		text: runtime.Text(1, s.Reasons()),
	}
	if plugin != "" { // who denies a pod may not say for whom; then time helps
		f.plugins = []string{plugin}
	}
	if s.Code() == fwk.Pending {
		f.pending = f.plugins
	}
	return f
}

// writeStatus sends the condition and the nomination unless the pod has them.
func (e *Engine) writeStatus(now clock.Now, p *pod, f failure) {
	patch := PatchStatus{Pod: p.spec.Ref}
	if c, differs := conditionFor(now, p, f); differs {
		patch.Condition = c
		p.written = c
	}
	if f.nominate != nil && *f.nominate != p.nomination() {
		patch.Nominate = f.nominate
		p.nominated = f.nominate
	}
	if patch.Condition != nil || patch.Nominate != nil {
		e.emit(patch)
	}
}

// nomination returns the nomination that the pod has, or that is on its way.
func (p *pod) nomination() string {
	if p.nominated != nil {
		return *p.nominated
	}
	return p.spec.Nominated
}

// conditionFor returns the PodScheduled condition of a failure, and whether it says
// anything that the pod's own, or the one on its way, does not.
func conditionFor(now clock.Now, p *pod, f failure) (*corev1.PodCondition, bool) {
	c := &corev1.PodCondition{
		Type:               corev1.PodScheduled,
		Status:             corev1.ConditionFalse,
		ObservedGeneration: p.spec.API.Generation,
		LastTransitionTime: metav1.NewTime(now.Wall),
		Reason:             corev1.PodReasonUnschedulable,
		Message:            f.text,
	}
	if f.verdict == Failed {
		c.Reason = corev1.PodReasonSchedulerError
	}
	current := p.written
	if current == nil {
		current = podScheduled(p.spec.API)
	}
	if current != nil && current.Status == c.Status {
		c.LastTransitionTime = current.LastTransitionTime
	}
	return c, current == nil || !sameCondition(current, c)
}

func podScheduled(p *corev1.Pod) *corev1.PodCondition {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodScheduled {
			return c
		}
	}
	return nil
}

func sameCondition(a, b *corev1.PodCondition) bool {
	return a.Status == b.Status && a.Reason == b.Reason && a.Message == b.Message
}

func (e *Engine) statusDone(in StatusDone) {
	if p := e.pods[in.Pod.UID]; p != nil && in.Failed {
		p.written, p.nominated = nil, nil // the next attempt writes them again
	}
}

// longestNote is what the API takes as an event's note, in bytes.
const longestNote = 1024

// tell emits an event about a pod.
func (e *Engine) tell(p *pod, kind, reason, action, note string) {
	e.emit(Event{
		Pod: p.spec.Ref, ResourceVersion: p.spec.API.ResourceVersion, Profile: p.chain.Profile(),
		Type: kind, Reason: reason, Action: action, Note: cut(note, longestNote),
	})
}

// cut shortens s to at most n bytes, whole runes, and says so at its end.
func cut(s string, n int) string {
	const more = " ..."
	if len(s) <= n {
		return s
	}
	end := n - len(more)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + more
}
