package scheduler

import (
	"context"
	"time"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/invariants"
)

// batch is how many inputs may go between two decisions.
const batch = 1000

// loop drives the engine. It follows what happens until a term comes, decides as long as
// that lasts, and ends when no bind is out any more or Grace is over. Without a term it
// ends when terms is closed.
func (s *Scheduler) loop(terms <-chan context.Context) {
	l := looper{Scheduler: s, start: time.Now(), alarm: time.NewTimer(time.Hour), changed: true}
	defer l.alarm.Stop()
	defer s.pulse.rest()
	l.takeIn() // what existed; the informers have put all of it
	l.publish(publishIdle)
	close(s.ready)
	term := work(&l, terms)
	if term == nil {
		return
	}
	l.takeIn() // what the last leader did; it has been put
	l.stage = deciding
	work(&l, term.Done())
	l.stage = resolving
	s.writer.Withdraw()
	l.resolve()
}

// stage is what the loop does besides taking inputs.
type stage int

const (
	following stage = iota // nothing
	deciding
	resolving // waits for the binds that are out
)

// looper is the loop's own state.
type looper struct {
	*Scheduler
	stage  stage
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

// work takes turns until something comes from until, and returns that.
func work[T any](l *looper, until <-chan T) T {
	for {
		select {
		case got := <-until:
			return got
		default:
		}
		if busy := l.turn(); busy {
			l.publish(publishBusy)
			continue
		}
		l.publish(publishIdle)
		if got, came := sleep(l, until); came {
			return got
		}
	}
}

// resolve takes turns until no bind is out, or can be: nothing is sent through a fence
// that is shut.
func (l *looper) resolve() {
	over := time.NewTimer(l.deps.Grace)
	defer over.Stop()
	for l.engine.Binding() > 0 && l.maySend() {
		if busy := l.turn(); busy {
			continue
		}
		if _, expired := sleep(l, over.C); expired {
			return
		}
	}
}

// turn takes some inputs, ticks if that is due, and decides once while that is the stage.
// It reports whether there may be more to do.
func (l *looper) turn() (busy bool) {
	busy = l.takeSome()
	select {
	case look := <-l.looks:
		look(l.engine)
	default:
	}
	now := l.now()
	if at, due := l.engine.Next(); due && at <= now.Mono {
		l.step(engine.Tick{})
		busy = true
	}
	if l.stage == deciding && l.engine.Ready() {
		l.step(engine.Decide{})
		busy = true
	}
	return busy
}

func (l *looper) takeSome() bool {
	l.pulse.beat()
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
		l.write(effect)
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

// write passes an effect on. All effects come of attempts, and attempts of Decide, so a
// standby has none. A bind that fails at the end of a term leaves the pod's status as it
// is: its nomination is for the next leader.
func (l *looper) write(effect engine.Effect) {
	invariants.Check(l.stage != following, "scheduler: an effect without a decision")
	if _, patch := effect.(engine.PatchStatus); patch && l.stage == resolving {
		return
	}
	l.writer.Do(effect)
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

// sleep waits until something arrives, a tick is due, or something comes from until.
func sleep[T any](l *looper, until <-chan T) (got T, came bool) {
	l.setAlarm()
	select {
	case <-l.mail.arrived:
	case <-l.alarm.C:
	case got = <-until:
		return got, true
	}
	return got, false
}

func (l *looper) setAlarm() {
	l.pulse.rest()
	wait := time.Hour
	if at, due := l.engine.Next(); due {
		wait = max(0, at-l.now().Mono)
	}
	if l.deps.Publish != nil && l.changed {
		wait = min(wait, publishIdle)
	}
	l.alarm.Reset(wait)
}
