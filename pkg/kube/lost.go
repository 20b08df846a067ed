package kube

import (
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
)

// lost counts what had to be dropped, and tells of it once a minute at the most. It is
// for one goroutine; others may read the number.
type lost struct {
	n    atomic.Int64
	told time.Time
}

func (l *lost) note(now time.Time) {
	n := l.n.Add(1)
	if now.Sub(l.told) >= time.Minute {
		l.told = now
		klog.InfoS("Events wait faster than they can be written; new ones are dropped", "droppedSoFar", n)
	}
}
