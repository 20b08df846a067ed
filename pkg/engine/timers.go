package engine

import (
	"container/heap"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// timer wakes an attempt. One whose attempt has ended is ignored when it fires.
type timer struct {
	at      time.Duration
	order   uint64 // among equals, the one set first
	uid     types.UID
	attempt uint64
}

// timers is a heap of timers, earliest first. The zero value is empty.
type timers struct {
	list []timer
	set  uint64
}

func (t *timers) add(at time.Duration, p *pod) {
	t.set++
	heap.Push(t, timer{at: at, order: t.set, uid: p.spec.UID, attempt: p.attempt})
}

func (t *timers) next() (time.Duration, bool) {
	if len(t.list) == 0 {
		return 0, false
	}
	return t.list[0].at, true
}

// pop removes the first timer that is due.
func (t *timers) pop(now time.Duration) (timer, bool) {
	if at, waits := t.next(); !waits || at > now {
		return timer{}, false
	}
	return heap.Pop(t).(timer), true
}

// The methods below are for package heap.

func (t *timers) Len() int { return len(t.list) }
func (t *timers) Less(i, k int) bool {
	a, b := &t.list[i], &t.list[k]
	return a.at < b.at || a.at == b.at && a.order < b.order
}
func (t *timers) Swap(i, k int) { t.list[i], t.list[k] = t.list[k], t.list[i] }
func (t *timers) Push(x any)    { t.list = append(t.list, x.(timer)) }
func (t *timers) Pop() any {
	last := t.list[len(t.list)-1]
	t.list = t.list[:len(t.list)-1]
	return last
}
