package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// startChild runs a scheduler with its output in a new file.
func startChild(log string, command []string) (*child.Process, error) {
	if err := os.MkdirAll(filepath.Dir(log), 0o755); err != nil {
		return nil, err
	}
	if err := os.Remove(log); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	p := &child.Process{Log: log}
	return p, p.Start(command[0], command[1:]...)
}

// alive returns an error when a scheduler has ended.
func alive(p *child.Process) error {
	if !p.HasEnded() {
		return nil
	}
	return fmt.Errorf("the scheduler ended by itself: %v", p.Wait())
}
