package scheduler

import (
	"sync"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// mailbox carries inputs from many goroutines to the loop, in order of arrival.
type mailbox struct {
	arrived chan struct{} // holds one token while there is something to take

	mu     sync.Mutex // guards inputs
	inputs []engine.Input
}

func newMailbox() *mailbox { return &mailbox{arrived: make(chan struct{}, 1)} }

// put never waits. What it holds is bounded by what the API server holds: a fact for
// each change, an outcome for each effect.
func (m *mailbox) put(in engine.Input) {
	m.mu.Lock()
	m.inputs = append(m.inputs, in)
	m.mu.Unlock()
	m.signal()
}

// take moves at most n inputs to buf.
func (m *mailbox) take(buf []engine.Input, n int) []engine.Input {
	m.mu.Lock()
	n = min(n, len(m.inputs))
	buf = append(buf, m.inputs[:n]...)
	clear(m.inputs[:n])
	if m.inputs = m.inputs[n:]; len(m.inputs) == 0 {
		m.inputs = nil // lets go of a burst's memory
	}
	more := len(m.inputs) > 0
	m.mu.Unlock()
	if more {
		m.signal()
	}
	return buf
}

func (m *mailbox) signal() {
	select {
	case m.arrived <- struct{}{}:
	default: // the token is there already
	}
}
