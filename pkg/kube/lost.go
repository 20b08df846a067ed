package kube

import (
	"time"

	"k8s.io/klog/v2"
)

// lost counts what had to be dropped, and tells of it once a minute at the most. It is
// for one goroutine.
type lost struct {
	n    int
	told time.Time
}

func (l *lost) note(now time.Time) {
	l.n++
	if now.Sub(l.told) >= time.Minute {
		l.told = now
		klog.InfoS("Events wait faster than they can be written; new ones are dropped", "droppedSoFar", l.n)
	}
}
