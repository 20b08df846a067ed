package queue

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	fwk "k8s.io/kube-scheduler/framework"
)

var (
	tapes = flag.Int("tapes", 5000, "random tapes to play")
	seed  = flag.Uint64("seed", 0, "play this tape only, when not 0")
)

// player plays one tape on the queue and on the model, and compares them after each
// operation.
type player struct {
	r    *rand.Rand
	q    *Queue
	m    *model
	now  time.Duration
	made int
}

func newPlayer(seed uint64) *player {
	p := &player{r: rand.New(rand.NewPCG(seed, 1)), m: &model{}}
	p.m.popOff = p.r.IntN(2) == 0
	p.q = New(Config{
		Less: byPriority, Gate: testGate, Hinters: map[string][]Hinter{"s": testHinters},
		InitialBackoff: testInitial, MaxBackoff: testMax, Timeout: testTimeout, PopFromBackoff: p.m.popOff,
	})
	return p
}

// step does one operation on both and says which.
func (p *player) step() string {
	switch n := p.r.IntN(100); {
	case n < 15:
		return p.add()
	case n < 40:
		return p.pop()
	case n < 60:
		return p.requeue()
	case n < 64:
		return p.done()
	case n < 72:
		return p.update()
	case n < 76:
		return p.remove()
	case n < 90:
		return p.wake()
	case n < 93:
		return p.activate()
	}
	p.now += time.Duration(p.r.IntN(3000)) * time.Millisecond
	if p.r.IntN(10) == 0 {
		p.now += testTimeout
	}
	p.q.Flush(at(p.now))
	p.m.flush(p.now)
	return fmt.Sprint("flush at ", p.now)
}

func (p *player) add() string {
	p.made++
	pod := testPod(p.r, fmt.Sprint("p", p.made))
	p.q.Add(at(p.now), pod)
	p.m.order++
	mp := &modelPod{pod: pod, order: p.m.order, since: p.now}
	p.m.pods = append(p.m.pods, mp)
	p.m.move(p.now, mp, atOnce)
	return "add " + pod.Name
}

func (p *player) pop() string {
	want := p.m.nextPop()
	ready := p.q.Ready()
	got := p.q.Pop(at(p.now))
	if (got == nil) != (want == nil) || ready != (got != nil) || got != nil && got.Pod != want.pod {
		return fmt.Sprintf("FAIL: pop gave %v, ready %v, want %+v", got, ready, want)
	}
	if want != nil {
		want.place, want.inFlight, want.missed = Away, true, nil
	}
	return "pop"
}

// pick returns a random pod that is so.
func (p *player) pick(is func(*modelPod) bool) *modelPod {
	var list []*modelPod
	for _, mp := range p.m.pods {
		if is(mp) {
			list = append(list, mp)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[p.r.IntN(len(list))]
}

func anyPod(*modelPod) bool    { return true }
func isAway(mp *modelPod) bool { return mp.place == Away }

func (p *player) requeue() string {
	mp := p.pick(isAway)
	if mp == nil {
		return "nothing to requeue"
	}
	var rejectors, pending []string
	for _, name := range []string{"Even", "Low"} {
		if p.r.IntN(2) == 0 {
			if rejectors = append(rejectors, name); p.r.IntN(4) == 0 {
				pending = append(pending, name)
			}
		}
	}
	p.q.Requeue(at(p.now), mp.pod.UID, rejectors, pending)
	mp.since, mp.rejected, mp.pending = p.now, rejectors, pending
	v := stay
	if len(rejectors) == 0 {
		mp.errors++
	} else {
		mp.failures, mp.errors = mp.failures+1, 0
	}
	if len(rejectors) == 0 || !mp.inFlight {
		v = afterBackoff
	} else {
		for i := range mp.missed {
			v = max(v, p.m.means(mp, &mp.missed[i]))
		}
	}
	mp.inFlight, mp.missed = false, nil
	p.m.move(p.now, mp, v)
	return fmt.Sprintf("requeue %s %v pending %v", mp.pod.Name, rejectors, pending)
}

func (p *player) done() string {
	mp := p.pick(isAway)
	if mp == nil {
		return "nothing is done"
	}
	p.q.Done(mp.pod.UID)
	mp.inFlight, mp.missed = false, nil
	return "done " + mp.pod.Name
}

func (p *player) update() string {
	mp := p.pick(anyPod)
	if mp == nil {
		return "nothing to update"
	}
	pod := testPod(p.r, mp.pod.Name)
	pod.Priority = mp.pod.Priority // the API does not let it change
	n := p.r.IntN(10)
	change := fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: []fwk.ActionType{fwk.UpdatePodLabel, fwk.UpdatePodSchedulingGatesEliminated, fwk.Update}[p.r.IntN(3)]}
	p.q.Update(at(p.now), pod, []fwk.ClusterEvent{change}, nil, n)
	mp.pod = pod
	ev := Event{ClusterEvent: change, After: n, Only: pod.UID}
	switch mp.place {
	case Away:
		if mp.inFlight {
			mp.missed = append(mp.missed, ev)
		}
	case Unschedulable, Gated:
		if v := p.m.means(mp, &ev); v != stay {
			p.m.move(p.now, mp, v)
		}
	}
	return fmt.Sprintf("update %s %v %d", pod.Name, change.Label(), n)
}

func (p *player) remove() string {
	mp := p.pick(anyPod)
	if mp == nil {
		return "nothing to delete"
	}
	p.q.Delete(mp.pod.UID)
	p.m.pods = slices.DeleteFunc(p.m.pods, func(x *modelPod) bool { return x == mp })
	return "delete " + mp.pod.Name
}

func (p *player) wake() string {
	kinds := []fwk.ClusterEvent{
		{Resource: fwk.Node, ActionType: fwk.Add}, {Resource: fwk.Node, ActionType: fwk.UpdateNodeLabel},
		{Resource: fwk.Node, ActionType: fwk.UpdateNodeTaint}, {Resource: fwk.AssignedPod, ActionType: fwk.Delete},
		{Resource: fwk.AssignedPod, ActionType: fwk.Update}, {Resource: fwk.UnscheduledPod, ActionType: fwk.Add},
	}
	ev := Event{ClusterEvent: kinds[p.r.IntN(len(kinds))], After: p.r.IntN(10)}
	switch mp := p.pick(anyPod); {
	case mp == nil:
	case p.r.IntN(8) == 0:
		ev.Except = mp.pod.UID
	case p.r.IntN(8) == 0:
		ev.UpTo = &mp.pod.Priority
	}
	p.q.Wake(at(p.now), ev)
	p.m.wake(p.now, ev)
	return fmt.Sprintf("wake %s %v except %q", ev.Label(), ev.After, ev.Except)
}

func (p *player) activate() string {
	mp := p.pick(anyPod)
	if mp == nil {
		return "nothing to activate"
	}
	p.q.Activate(at(p.now), mp.pod.UID, "unknown")
	switch {
	case mp.place == Away && mp.inFlight:
		mp.missed = append(mp.missed, Event{ClusterEvent: fwk.ClusterEvent{Resource: fwk.WildCard, ActionType: fwk.All}, Only: mp.pod.UID})
	case mp.place == Backoff && p.m.popOff:
		mp.place = Active
	case mp.place != Away && mp.place != Active:
		p.m.move(p.now, mp, atOnce)
	}
	return "activate " + mp.pod.Name
}

// differs returns how queue and model differ, "" when they do not.
func (p *player) differs() string {
	sizes := map[Place]int{}
	waiting := map[string]int{}
	for _, mp := range p.m.pods {
		it := p.q.Get(mp.pod.UID)
		if it == nil || it.Place != mp.place || it.Pod != mp.pod {
			return fmt.Sprintf("%s is at %+v, want %s", mp.pod.Name, it, mp.place)
		}
		sizes[mp.place]++
		if mp.place != Away {
			for _, name := range mp.rejected {
				waiting[name]++
			}
		}
	}
	for _, place := range []Place{Away, Active, Backoff, Unschedulable, Gated} {
		if got := p.q.Len(place); got != sizes[place] {
			return fmt.Sprintf("%d pods are %s, want %d", got, place, sizes[place])
		}
	}
	for who, n := range p.q.Waiting() {
		if n != waiting[who.Plugin] {
			return fmt.Sprintf("%s keeps %d pods waiting, want %d", who.Plugin, n, waiting[who.Plugin])
		}
	}
	return p.differsInTime()
}

func (p *player) differsInTime() string {
	var want time.Duration
	due := false
	flights := 0
	for _, mp := range p.m.pods {
		end := time.Duration(-1)
		switch mp.place {
		case Backoff:
			end = mp.readyAt(p.m)
		case Unschedulable, Gated:
			end = mp.parked + testTimeout
		}
		if mp.inFlight {
			flights++
		}
		if end >= 0 && (!due || end < want) {
			want, due = end, true
		}
	}
	if got, ok := p.q.Next(); ok != due || got != want {
		return fmt.Sprintf("next flush at %v (%v), want %v (%v)", got, ok, want, due)
	}
	if pods, events := p.q.Missable(); pods != flights || flights == 0 && events != 0 {
		return fmt.Sprintf("%d pods in flight with %d events, want %d", pods, events, flights)
	}
	return ""
}

// playTape returns the last operations of a tape on which queue and model differ.
func playTape(seed uint64, steps int) string {
	p := newPlayer(seed)
	var done []string
	for range steps {
		op := p.step()
		done = append(done, op)
		if why := p.differs(); why != "" || len(op) > 4 && op[:4] == "FAIL" {
			return fmt.Sprintf("seed %d: %s\nafter %q\n%s", seed, why, done[max(0, len(done)-12):], p.m)
		}
	}
	return ""
}

func TestQueueDoesWhatTheModelDoes(t *testing.T) {
	from, to := uint64(1), uint64(*tapes)
	if *seed != 0 {
		from, to = *seed, *seed
	}
	for s := from; s <= to; s++ {
		if why := playTape(s, 40); why != "" {
			t.Fatal(why)
		}
	}
}
