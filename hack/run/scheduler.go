package main

import (
	"fmt"

	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// stopScheduler ends the scheduler before the API server that it talks to. It is an error if the scheduler did not end
// well; one that died before was told of by Lost.
func stopScheduler(p *child.Process) error {
	if p.HasEnded() {
		return nil
	}
	p.Stop(child.Grace)
	if how := p.Wait(); !how.Success() {
		return fmt.Errorf("the scheduler did not end well when told to: %v; the last lines of %s:\n%s", how, p.Log, p.Tail(20))
	}
	return nil
}
