package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// stopGrace is how long a scheduler may take to end by itself.
const stopGrace = 10 * time.Second

// child is a scheduler as a process. It leads a process group of its own: the Ctrl-C of a terminal reaches only us.
type child struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when it is gone and reaped
	how   string        // it ended; read it after ended
}

// startChild runs a command with its output in a file.
func startChild(log string, command []string) (*child, error) {
	if err := os.MkdirAll(filepath.Dir(log), 0o755); err != nil {
		return nil, err
	}
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(command[0], command[1:]...), ended: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = out, out
	c.cmd.SysProcAttr = childAttr()
	started := make(chan error)
	go c.run(out, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", command[0], err)
	}
	return c, nil
}

// run starts the process and stays until it is reaped. The kernel kills it when the thread that started it ends, so
// this goroutine keeps its thread.
func (c *child) run(out *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(c.ended)
	defer func() { _ = out.Close() }()
	err := c.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	_ = c.cmd.Wait() // the state says the same
	c.how = c.cmd.ProcessState.String()
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// alive returns an error when the process has ended.
func (c *child) alive() error {
	select {
	case <-c.ended:
		return errors.New("the scheduler ended by itself: " + c.how)
	default:
		return nil
	}
}

// stop ends the process and returns when it is gone.
func (c *child) stop() {
	_ = c.cmd.Process.Signal(syscall.SIGTERM) // fails when it is gone
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-c.ended:
	case <-grace.C:
		_ = c.cmd.Process.Kill()
		<-c.ended
	}
}
