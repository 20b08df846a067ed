package runtime

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a plugin's panic, turned into the failure of one attempt.
type PanicError struct {
	Plugin string
	Value  any
	Stack  []byte
}

// Error names the plugin and the panic's value; the stack is for the log.
func (e *PanicError) Error() string { return fmt.Sprintf("plugin %q panicked: %v", e.Plugin, e.Value) }

// contain turns a panic of the running plugin into an error and takes back what the
// attempt tried. It is deferred by each public step of an attempt.
func (ch *Chain) contain(err *error) {
	v := recover()
	if v == nil {
		return
	}
	ch.cycle.Try.Rollback(0)
	*err = &PanicError{Plugin: ch.running, Value: v, Stack: debug.Stack()}
}
