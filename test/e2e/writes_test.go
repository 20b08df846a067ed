package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// waitWrites waits until the scheduler's writes are as wanted, by what the audit log tells
// of them, which is late.
func waitWrites(t *testing.T, c *controlplane.ControlPlane, want string, as func(map[string]int) bool) {
	t.Helper()
	must(t, c.WaitFor(t.Context(), "the writes to be "+want, func(context.Context) error {
		writes, err := writesOf(c)
		if err == nil && !as(writes) {
			err = fmt.Errorf("they are %v", writes)
		}
		return err
	}))
}

// writesOf counts the scheduler's writes by what they were and what they were answered.
func writesOf(c *controlplane.ControlPlane) (map[string]int, error) {
	events, err := c.Audit(func(e *controlplane.AuditEvent) bool {
		return e.User.Username == controlplane.Scheduler && e.Stage == "ResponseComplete" &&
			e.Verb != "get" && e.Verb != "list" && e.Verb != "watch"
	})
	counts := map[string]int{}
	for i := range events {
		what := events[i].ObjectRef.Resource
		if sub := events[i].ObjectRef.Subresource; sub != "" {
			what += "/" + sub
		}
		counts[fmt.Sprintf("%s %s %d", events[i].Verb, what, events[i].ResponseStatus.Code)]++
	}
	return counts, err
}
