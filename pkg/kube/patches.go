package kube

import (
	"container/list"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// patches is the status patches that wait, one for each pod at the most: a newer one
// takes in what waits. No two of a pod are under way at a time, and a pod's bind goes
// before what waits and after what is under way, so that a pod that has its node is not
// told that it has none. The zero value is empty.
type patches struct {
	mu      sync.Mutex // guards the fields below
	wake    sync.Cond
	waiting map[types.UID]*list.Element
	order   list.List // of those that wait, engine.PatchStatus: the first came first
	sent    map[types.UID]*underWay
	closed  bool
}

// underWay is a patch that was taken and is not done.
type underWay struct{ bind *engine.Bind } // that waits for it; may be nil

// put adds a patch.
func (l *patches) put(p engine.PatchStatus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if l.waiting == nil {
		l.waiting, l.sent = map[types.UID]*list.Element{}, map[types.UID]*underWay{}
	}
	if waits := l.waiting[p.Pod.UID]; waits != nil {
		waits.Value = merged(waits.Value.(engine.PatchStatus), p)
		return
	}
	l.waiting[p.Pod.UID] = l.order.PushBack(p)
	l.cond().Signal()
}

// merged is one patch that does what two would.
func merged(first, then engine.PatchStatus) engine.PatchStatus {
	if then.Condition == nil {
		then.Condition = first.Condition
	}
	if then.Nominate == nil {
		then.Nominate = first.Nominate
	}
	return then
}

// take removes the first patch whose pod has none under way, waiting for one. It returns
// false once the patches are closed and none is left. Each that was taken is done some day.
func (l *patches) take() (engine.PatchStatus, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for waits := l.order.Front(); waits != nil; waits = waits.Next() {
			p := waits.Value.(engine.PatchStatus)
			if l.sent[p.Pod.UID] == nil {
				l.forget(waits)
				l.sent[p.Pod.UID] = &underWay{}
				return p, true
			}
		}
		if l.closed && l.order.Len() == 0 {
			return engine.PatchStatus{}, false
		}
		l.cond().Wait()
	}
}

// done says that a pod's patch is not under way any more. It returns the bind that waited
// for that, or nil.
func (l *patches) done(uid types.UID) *engine.Bind {
	l.mu.Lock()
	defer l.mu.Unlock()
	bind := l.sent[uid].bind
	delete(l.sent, uid)
	l.cond().Broadcast()
	return bind
}

// giveWay makes room for a bind. It reports whether a patch of the pod was dropped, and
// whether the bind must wait: then done returns it.
func (l *patches) giveWay(b engine.Bind) (dropped, wait bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	waits, out := l.waiting[b.Pod.UID], l.sent[b.Pod.UID]
	if waits != nil {
		l.forget(waits)
	}
	if out != nil {
		out.bind = &b
	}
	return waits != nil, out != nil
}

func (l *patches) forget(waits *list.Element) {
	delete(l.waiting, waits.Value.(engine.PatchStatus).Pod.UID)
	l.order.Remove(waits)
}

// drain removes and returns the binds that wait.
func (l *patches) drain() (binds []engine.Bind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, out := range l.sent {
		if out.bind != nil {
			binds = append(binds, *out.bind)
			out.bind = nil
		}
	}
	return binds
}

// close lets takers empty the patches and then stop.
func (l *patches) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.cond().Broadcast()
}

func (l *patches) cond() *sync.Cond {
	if l.wake.L == nil {
		l.wake.L = &l.mu
	}
	return &l.wake
}
