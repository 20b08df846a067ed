package queue

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// differs returns how queue and model differ, "" when they do not.
func (p *player) differs() string {
	sizes := map[Place]int{}
	waiting := map[string]int{}
	for _, mp := range p.m.pods {
		it := p.q.Get(mp.pod.UID)
		if it == nil || it.Place != mp.place || it.Pod != mp.pod || it.Flushed != mp.flushed {
			return fmt.Sprintf("%s is at %+v, want %s, flushed %v", mp.pod.Name, it, mp.place, mp.flushed)
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
	for _, name := range []string{"Even", "Low", "Gate"} {
		if n := p.q.Waiting()[Waiting{Plugin: name, Profile: "s"}]; n != waiting[name] {
			return fmt.Sprintf("%s keeps %d pods waiting, want %d", name, n, waiting[name])
		}
	}
	if n := len(p.q.items); n != p.added-p.deleted {
		return fmt.Sprintf("%d pods are known, and %d were added and %d deleted", n, p.added, p.deleted)
	}
	return cmp.Or(p.misplaced(), p.differsInTime())
}

// misplaced returns a pod that is not just once in what holds the pods of its place.
func (p *player) misplaced() string {
	q, held := p.q, map[*Item][]Place{}
	note := func(place Place, items []*Item) {
		for i, it := range items {
			if held[it] = append(held[it], place); it.index != i {
				held[it] = append(held[it], place) // it will not be found again
			}
		}
	}
	note(Active, q.active.items)
	note(Backoff, q.backoff.items)
	note(Backoff, q.failing.items)
	for _, k := range q.kinds {
		note(Unschedulable, k.pods)
	}
	for _, b := range q.gated {
		note(Gated, *b)
	}
	for uid, it := range q.items {
		want := []Place{it.Place}
		if it.Place == Away {
			want = nil
		}
		if !slices.Equal(held[it], want) {
			return fmt.Sprintf("%s is %s and held as %v", uid, it.Place, held[it])
		}
		delete(held, it)
	}
	if len(held) > 0 {
		return fmt.Sprintf("%d pods are held that nobody knows", len(held))
	}
	return ""
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
	if pods, events := p.q.Missable(); pods != flights || flights == 0 && len(events) != 0 {
		return fmt.Sprintf("%d pods in flight with events %v, want %d", pods, events, flights)
	}
	return ""
}
