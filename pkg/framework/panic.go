package framework

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a plugin's panic, turned into an error of what it was asked.
type PanicError struct {
	Plugin string
	Value  any
	Stack  []byte
}

// Panicked returns the error for a value that was recovered.
func Panicked(plugin string, value any) *PanicError {
	return &PanicError{Plugin: plugin, Value: value, Stack: debug.Stack()}
}

// Error names the plugin and the panic's value; the stack is for the log.
func (e *PanicError) Error() string { return fmt.Sprintf("plugin %q panicked: %v", e.Plugin, e.Value) }
