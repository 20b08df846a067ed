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
// operation. What holds then, at every point of every tape:
//
//   - each known pod is in exactly one place, and in what holds the pods of that place
//   - the pods that are known are those that were added and not deleted
//   - Pop gives the first by priority and time, out of backoff too
//   - backoff doubles up to its maximum, and ends with a whole second where pods may be
//     popped before; errors are counted apart from refusals
//   - no event is lost: one that would have woken a pod, had it come after the pod was
//     parked, wakes it when it came at any point of the pod's flight
//   - all that, with pods that are updated, deleted, and come back, wherever they are
//   - a pod that waits for too long is tried again, and is known for it
//   - a flight ends once however it ends, and no event is kept when nobody is away
//   - the gauges are the real sizes
type player struct {
	r       *rand.Rand
	q       *Queue
	m       *model
	now     time.Duration
	made    int
	added   int
	deleted int
	gone    []string // pods that may come back
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
	p.added++
	pod := testPod(p.r, p.newName())
	p.q.Add(at(p.now), pod)
	p.m.order++
	mp := &modelPod{pod: pod, order: p.m.order, since: p.now}
	p.m.pods = append(p.m.pods, mp)
	p.m.move(p.now, mp, atOnce)
	return "add " + pod.Name
}

// newName is a new one, or that of a pod that was deleted.
func (p *player) newName() string {
	if n := len(p.gone); n > 0 && p.r.IntN(3) == 0 {
		name := p.gone[n-1]
		p.gone = p.gone[:n-1]
		return name
	}
	p.made++
	return fmt.Sprint("p", p.made)
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
	mp.since, mp.rejected, mp.pending, mp.flushed = p.now, rejectors, pending, false
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
	p.deleted++
	p.gone = append(p.gone, mp.pod.Name)
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
