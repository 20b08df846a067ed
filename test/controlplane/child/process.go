package child

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// Grace is how long a scheduler may take to end. It waits 5 s for binds that are out.
const Grace = 10 * time.Second

// Process is one child. Set the fields before Start.
type Process struct {
	Log  string      // path of the file that takes its stdout and stderr, behind what is there
	Lost func(error) // called once with a LostError if it ends and nobody asked it to; may be nil

	cmd      *exec.Cmd
	stopping atomic.Bool
	ended    chan struct{} // closed when it is gone and reaped
}

// Start runs the program at path until Stop.
func (p *Process) Start(path string, args ...string) error {
	out, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("cannot start %s: %w", filepath.Base(path), err)
	}
	p.cmd, p.ended = exec.Command(path, args...), make(chan struct{})
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = attr()
	started := make(chan error)
	go p.run(out, started)
	if err := <-started; err != nil {
		return fmt.Errorf("cannot start %s: %w", p.Name(), err)
	}
	return nil
}

// run starts the child and stays until it is reaped. It keeps its thread all that time: the kernel kills the child
// when the *thread* that started it ends, and the Go runtime ends threads as it likes unless they are locked.
func (p *Process) run(out *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	defer func() { _ = out.Close() }()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // the state says the same
	if p.Lost != nil && !p.stopping.Load() {
		p.Lost(&LostError{Name: p.Name(), How: p.cmd.ProcessState.String(), Words: p.Tail(lastWords)})
	}
}

// Stop asks the child to end, kills it after the grace time, at once if that is 0, and returns when it is gone.
// A child that was lost or never started is gone already.
func (p *Process) Stop(grace time.Duration) {
	p.stopping.Store(true)
	if p.PID() == 0 {
		return
	}
	if grace > 0 {
		p.Signal(syscall.SIGTERM)
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-p.ended:
	case <-late.C:
		p.Signal(syscall.SIGKILL)
		<-p.ended
	}
}

// Signal sends a signal. It does nothing after the end of the child: os.Process never signals a reused id.
func (p *Process) Signal(s syscall.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		panic(fmt.Sprintf("BUG: cannot signal our own child %s: %v", p.Name(), err))
	}
}

// Wait returns how the child ended, when it has.
func (p *Process) Wait() *os.ProcessState {
	<-p.ended
	return p.cmd.ProcessState
}

// HasEnded reports whether the child is gone.
func (p *Process) HasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Name is the program's, without its folder.
func (p *Process) Name() string { return filepath.Base(p.cmd.Path) }

// PID returns the child's process id, 0 when it was never started.
func (p *Process) PID() int {
	if p.cmd == nil || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}
