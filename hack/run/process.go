package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	stopGrace = 10 * time.Second // more than the scheduler takes for binds that are out
	tailLines = 20
)

// process is the scheduler. It leads a process group of its own: the Ctrl-C of a terminal reaches only us, and we
// stop it before the API server that it talks to.
type process struct {
	log  string      // path of the file that takes its stdout and stderr
	lost func(error) // called once if it ends and nobody asked it to

	cmd      *exec.Cmd
	stopping atomic.Bool
	ended    chan struct{} // closed when it is gone and reaped
	result   error         // of the process; read it after ended
}

// diedError says that the scheduler ended although nobody asked it to.
type diedError struct {
	how string
	log string
}

func (e *diedError) Error() string {
	return fmt.Sprintf("the scheduler died: %s; the last lines of %s:\n%s", e.how, e.log, tail(e.log, tailLines))
}

// start runs the program at path until stop.
func (p *process) start(path string, args ...string) error {
	out, err := os.Create(p.log)
	if err != nil {
		return err
	}
	p.cmd, p.ended = exec.Command(path, args...), make(chan struct{})
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = childAttr()
	started := make(chan error)
	go p.run(out, started)
	if err := <-started; err != nil {
		return fmt.Errorf("cannot start %s: %w", path, err)
	}
	return nil
}

// run starts the child and stays until it is reaped. The kernel kills the child when the thread that started it
// ends, so this goroutine keeps its thread.
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
	p.result = p.cmd.Wait()
	if !p.stopping.Load() {
		p.lost(&diedError{how: p.cmd.ProcessState.String(), log: p.log})
	}
}

// stop asks the scheduler to end, kills it after the grace time and returns when it is gone. It is an error if it
// did not end well; one that died before was told of by lost.
func (p *process) stop() error {
	select {
	case <-p.ended:
		return nil
	default:
	}
	p.stopping.Store(true)
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails if it is gone by now
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-p.ended:
	case <-grace.C:
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	if p.result != nil {
		return fmt.Errorf("the scheduler did not end well when told to: %w; the last lines of %s:\n%s", p.result, p.log, tail(p.log, tailLines))
	}
	return nil
}

// tail returns the last lines of a file, or why it cannot.
func tail(path string, lines int) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	all := bytes.SplitAfter(bytes.TrimRight(data, "\n"), []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], nil))
}
