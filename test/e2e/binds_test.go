package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/berth-scheduler/berth/test/controlplane"
)

func isBind(e *controlplane.AuditEvent) bool {
	return e.ObjectRef.Subresource == "binding" && e.Stage == "ResponseComplete"
}

// checkBinds waits until the audit log, which is late, tells that each of so many pods was
// bound once.
func (h *handover) checkBinds(pods int) {
	h.t.Helper()
	var others map[string]int
	must(h.t, h.c.WaitFor(h.t.Context(), "each pod to be bound once", func(context.Context) error {
		binds, err := h.c.Audit(isBind)
		if err != nil {
			return err
		}
		others, err = boundOnce(binds, pods)
		return err
	}))
	h.t.Logf("binds that were not taken: %v", others)
}

// boundOnce returns nil if each of so many pods was bound once, and counts the binds that
// were not taken by sender and answer. The API server calls a bind timed out whose sender
// went away; it may have happened.
func boundOnce(binds []controlplane.AuditEvent, pods int) (others map[string]int, err error) {
	taken, lost, others := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range binds {
		e := &binds[i]
		switch code := e.ResponseStatus.Code; code {
		case http.StatusCreated:
			taken[e.ObjectRef.Name]++
		case http.StatusGatewayTimeout:
			lost[e.ObjectRef.Name]++
			fallthrough
		default:
			others[fmt.Sprintf("%s %d", e.User.Username, code)]++
		}
	}
	for pod, n := range taken {
		delete(lost, pod)
		if n != 1 {
			err = errors.Join(err, fmt.Errorf("pod %s was bound %d times", pod, n))
		}
	}
	if len(taken)+len(lost) != pods {
		err = errors.Join(err, fmt.Errorf("%d pods were bound, and %d perhaps; want %d", len(taken), len(lost), pods))
	}
	return others, err
}
