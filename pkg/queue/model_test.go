package queue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// model is the queue told plainly: a list of pods, each moved on its own, hints asked
// for each, every event of a pod's flight kept with it.
type model struct {
	pods   []*modelPod
	order  int
	popOff bool // PopFromBackoff
}

type modelPod struct {
	pod      *podspec.Pod
	place    Place
	order    int
	since    time.Duration
	failures int
	errors   int
	rejected []string
	pending  []string
	gate     string
	parked   time.Duration
	inFlight bool
	flushed  bool // woken by time alone
	missed   []Event
}

const (
	testInitial = time.Second
	testMax     = 10 * time.Second
	testTimeout = time.Minute
)

// The test's plugins: what an event carries decides with the pod's class whether it helps.
//
//	Even    helps pods whose class is even with the payload; kept by class
//	Low     helps pods of a class below the payload; no keeper
//	Gate    gates while the pod's label gate is "shut"
var testHinters = []Hinter{
	{Plugin: "Even", Keeper: classKeeper{}, Hints: []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeLabel}, Ask: helpsIf(func(class, n int) bool { return (class+n)%2 == 0 })},
	}},
	{Plugin: "Low", Hints: []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Pod, ActionType: fwk.All}, Ask: helpsIf(func(class, n int) bool { return class < n })},
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}, Ask: helpsIf(func(class, n int) bool { return n == 7 })},
	}},
	{Plugin: "Gate", Hints: []framework.Hint{{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.UpdatePodSchedulingGatesEliminated}}}},
}

type classKeeper struct{}

func (classKeeper) Fragment(p *podspec.Pod) string { return p.API.Labels["class"] }
func (classKeeper) Scope() framework.Scope         { return framework.PerRow }

func helpsIf(helps func(class, n int) bool) func(*cluster.View, *podspec.Pod, any, any) (fwk.QueueingHint, error) {
	return func(_ *cluster.View, p *podspec.Pod, _, after any) (fwk.QueueingHint, error) {
		n, ok := after.(int)
		if !ok {
			return fwk.Queue, fmt.Errorf("not a number")
		}
		if helps(int(p.API.Labels["class"][0]-'0'), n) {
			return fwk.Queue, nil
		}
		return fwk.QueueSkip, nil
	}
}

func testGate(p *podspec.Pod, _ string) string {
	if p.API.Labels["gate"] == "shut" {
		return "Gate"
	}
	return ""
}

func byPriority(a, b *framework.Queued) bool {
	if a.Pod.Priority != b.Pod.Priority {
		return a.Pod.Priority > b.Pod.Priority
	}
	return a.Since < b.Since
}

func testPod(r *rand.Rand, uid string) *podspec.Pod {
	gate := "open"
	if r.IntN(4) == 0 {
		gate = "shut"
	}
	api := &corev1.Pod{}
	api.Labels = map[string]string{"class": fmt.Sprint(r.IntN(4)), "gate": gate}
	return &podspec.Pod{Ref: podspec.Ref{Name: uid, UID: types.UID(uid)}, API: api, Scheduler: "s", Priority: int32(r.IntN(3))}
}

func (p *modelPod) readyAt(m *model) time.Duration {
	n := p.failures
	if p.errors > 0 {
		n = p.errors
	}
	if n == 0 {
		return p.since
	}
	wait := testInitial
	for range n - 1 {
		wait = min(2*wait, testMax)
	}
	at := p.since + wait
	if m.popOff {
		at = at.Truncate(time.Second) + time.Second
	}
	return at
}

// go moves a pod where a verdict sends it.
func (m *model) move(now time.Duration, p *modelPod, v verdict) {
	backs := v == afterBackoff && p.readyAt(m) > now
	switch {
	case v == stay:
		p.place, p.parked = Unschedulable, now
	case backs && !m.popOff:
		p.place = Backoff
	case testGate(p.pod, "") != "":
		p.place, p.parked, p.gate, p.flushed = Gated, now, "Gate", false
		if !slices.Contains(p.rejected, "Gate") {
			p.rejected = append(p.rejected, "Gate")
		}
	case backs:
		p.place, p.gate = Backoff, ""
	default:
		p.place, p.gate = Active, ""
	}
}

// means is the plain reading of an event for one pod.
func (m *model) means(p *modelPod, ev *Event) verdict {
	if ev.Only != "" && ev.Only != p.pod.UID || ev.Except != "" && ev.Except == p.pod.UID || ev.UpTo != nil && p.pod.Priority > *ev.UpTo {
		return stay
	}
	if ev.Resource == fwk.WildCard {
		return afterBackoff
	}
	best := stay
	for _, h := range testHinters {
		if !slices.Contains(p.rejected, h.Plugin) {
			continue
		}
		for _, hint := range h.Hints {
			if !matches(hint.On, ev.ClusterEvent) {
				continue
			}
			if hint.Ask != nil {
				if answer, err := hint.Ask(nil, p.pod, ev.Before, ev.After); err == nil && answer == fwk.QueueSkip {
					continue
				}
			}
			if slices.Contains(p.pending, h.Plugin) {
				return atOnce
			}
			best = afterBackoff
		}
	}
	return best
}

func (m *model) wake(now time.Duration, ev Event) {
	for _, p := range m.pods {
		if p.inFlight {
			p.missed = append(p.missed, ev)
		}
		gateCares := slices.ContainsFunc(testHinters[2].Hints, func(h framework.Hint) bool { return matches(h.On, ev.ClusterEvent) })
		if p.place == Unschedulable || p.place == Gated && gateCares {
			if v := m.means(p, &ev); v != stay {
				m.move(now, p, v)
			}
		}
	}
}

// next returns the pod that must be popped.
func (m *model) nextPop() *modelPod {
	var best *modelPod
	for _, place := range []Place{Active, Backoff} {
		for _, p := range m.pods {
			if p.place != place || place == Backoff && (!m.popOff || len(p.rejected) == 0) {
				continue
			}
			if best == nil || place == Backoff && p.readyAt(m) < best.readyAt(m) ||
				(place == Active || p.readyAt(m) == best.readyAt(m)) && goesBefore(p, best) {
				best = p
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

func goesBefore(a, b *modelPod) bool {
	x, y := &framework.Queued{Pod: a.pod, Since: a.since}, &framework.Queued{Pod: b.pod, Since: b.since}
	if byPriority(x, y) != byPriority(y, x) {
		return byPriority(x, y)
	}
	return a.order < b.order
}

func (m *model) flush(now time.Duration) {
	for _, p := range m.pods {
		switch {
		case p.place == Backoff && p.readyAt(m) <= now:
			if m.popOff {
				p.place = Active
			} else {
				m.move(now, p, atOnce)
			}
		case (p.place == Unschedulable || p.place == Gated) && p.parked+testTimeout <= now:
			p.flushed = true
			m.move(now, p, afterBackoff)
		}
	}
}

func (m *model) String() string {
	var b strings.Builder
	for _, p := range m.pods {
		fmt.Fprintf(&b, "%s:%s%v ", p.pod.Name, p.place, p.rejected)
	}
	return b.String()
}

func at(mono time.Duration) clock.Now { return clock.Now{Mono: mono} }
