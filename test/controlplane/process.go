package controlplane

import (
	"bytes"
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

// process is one child. It leads a process group of its own, so that the Ctrl-C of a terminal reaches only us and
// we stop the children in order. They start no processes themselves.
type process struct {
	name string
	log  string      // path of the file that takes its stdout and stderr
	lost func(error) // called once when the child ends and nobody asked it to
	cmd  *exec.Cmd

	stopping atomic.Bool
	ended    chan struct{} // closed when the child is gone and reaped
}

// start runs the program at path until stop; its output is appended to the file p.log.
func (p *process) start(path string, args ...string) error {
	p.name, p.ended = filepath.Base(path), make(chan struct{})
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	p.cmd = exec.Command(path, args...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = childAttr()
	started := make(chan error)
	go p.run(out, started)
	if err := <-started; err != nil {
		return fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	return nil
}

// run starts the child and stays until it is reaped. It keeps its thread all that time: the kernel kills the child
// when the *thread* that started it ends, and the Go runtime ends threads as it likes unless they are locked.
func (p *process) run(out *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	defer func() { _ = out.Close() }()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	err = p.cmd.Wait()
	if !p.stopping.Load() {
		p.lost(fmt.Errorf("%s ended by itself: %v; its last log lines:\n%s", p.name, err, tail(p.log, 20)))
	}
}

// stop asks the child to end, kills it after the grace time and returns when it is gone.
// A child that was lost or never started is gone already.
func (p *process) stop(grace time.Duration) {
	p.stopping.Store(true)
	if p.pid() == 0 {
		return
	}
	if grace > 0 {
		p.signal(syscall.SIGTERM)
	}
	select {
	case <-p.ended:
	case <-time.After(grace):
		p.signal(syscall.SIGKILL)
		<-p.ended
	}
}

// signal may come after the end of the child, then it does nothing: os.Process never signals a reused id.
func (p *process) signal(s syscall.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		panic(fmt.Sprintf("BUG: cannot signal our own child %s: %v", p.name, err))
	}
}

// pid returns the child's process id, 0 when it was never started.
func (p *process) pid() int {
	if p.cmd == nil || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// tail returns the last lines of a file, for error texts. A file that cannot be read says so.
func tail(path string, lines int) []byte {
	data, err := os.ReadFile(path)
	if err != nil {
		return []byte(err.Error())
	}
	all := bytes.SplitAfter(data, []byte("\n"))
	return bytes.Join(all[max(0, len(all)-lines-1):], nil)
}
