package scheduler

import (
	"context"
	"time"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/engine"
)

// batch is how many inputs may go between two decisions.
const batch = 1000

// loop drives the engine until ctx has ended and no bind is out any more, or Grace
// is over.
func (s *Scheduler) loop(ctx context.Context) {
	l := looper{Scheduler: s, start: time.Now(), alarm: time.NewTimer(time.Hour)}
	defer l.alarm.Stop()
	l.takeIn() // what existed; the informers have put all of it
	close(s.ready)
	for ctx.Err() == nil {
		busy := l.turn(true)
		if busy {
			l.publish(publishBusy)
			continue
		}
		l.publish(publishIdle)
		l.sleep(ctx.Done())
	}
	over := time.NewTimer(s.deps.Grace)
	defer over.Stop()
	for s.engine.Binding() > 0 {
		if busy := l.turn(false); busy {
			continue
		}
		if expired := l.sleepUntil(over.C); expired {
			return
		}
	}
}

// looper is the loop's own state.
type looper struct {
	*Scheduler
	start  time.Time // zero of the engine's monotonic time
	alarm  *time.Timer
	inputs []engine.Input

	published time.Time
	changed   bool // since then
}

// takeIn empties the mailbox.
func (l *looper) takeIn() {
	for l.takeSome() {
	}
}

// turn takes some inputs, ticks if that is due, and decides once. It reports whether
// there may be more to do.
func (l *looper) turn(decide bool) (busy bool) {
	busy = l.takeSome()
	now := l.now()
	if at, due := l.engine.Next(); due && at <= now.Mono {
		l.step(engine.Tick{})
		busy = true
	}
	if decide && l.engine.Ready() {
		l.step(engine.Decide{})
		busy = true
	}
	return busy
}

func (l *looper) takeSome() bool {
	l.inputs = l.mail.take(l.inputs[:0], batch)
	for _, in := range l.inputs {
		l.step(in)
	}
	clear(l.inputs)
	return len(l.inputs) > 0
}

// step applies one input and passes on what it brings.
func (l *looper) step(in engine.Input) {
	began := time.Now()
	out := l.engine.Step(l.at(began), in)
	end := time.Now()
	l.changed = true
	for _, effect := range out.Effects {
		l.writer.Do(effect)
	}
	for _, o := range l.deps.Observers {
		for i := range out.Decisions {
			o.Decided(out.Decisions[i], began, end.Sub(began))
		}
		for i := range out.Settled {
			o.Settled(out.Settled[i], end)
		}
		if len(out.Events) > 0 {
			o.Handled(out.Events, end.Sub(began))
		}
	}
}

func (l *looper) now() clock.Now { return l.at(time.Now()) }

func (l *looper) at(t time.Time) clock.Now { return clock.Now{Mono: t.Sub(l.start), Wall: t} }

// How old published Stats may be: while there is work, and when it has just ended.
const (
	publishBusy = time.Second
	publishIdle = 100 * time.Millisecond
)

// publish tells how the engine stands, if it has changed and that is due.
func (l *looper) publish(every time.Duration) {
	if l.deps.Publish == nil || !l.changed || time.Since(l.published) < every {
		return
	}
	l.published, l.changed = time.Now(), false
	l.deps.Publish(l.engine.Stats())
}

// sleep waits until something arrives, a tick is due, or stop.
func (l *looper) sleep(stop <-chan struct{}) {
	l.setAlarm()
	select {
	case <-l.mail.arrived:
	case <-l.alarm.C:
	case <-stop:
	}
}

// sleepUntil is sleep with a deadline. It reports whether that has passed.
func (l *looper) sleepUntil(over <-chan time.Time) (expired bool) {
	l.setAlarm()
	select {
	case <-l.mail.arrived:
	case <-l.alarm.C:
	case <-over:
		return true
	}
	return false
}

func (l *looper) setAlarm() {
	wait := time.Hour
	if at, due := l.engine.Next(); due {
		wait = max(0, at-l.now().Mono)
	}
	if l.deps.Publish != nil && l.changed {
		wait = min(wait, publishIdle)
	}
	l.alarm.Reset(wait)
}
