package server

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime/pprof"
	"sync/atomic"
	"time"

	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/klog/v2"
)

// longestTurn is how long the loop may take for one turn, which is a thousand events and
// one decision.
const longestTurn = 15 * time.Second

// Progress fails when the loop that decides does not come round. turning returns how long
// its present turn has lasted, 0 while it sleeps because there is nothing to do.
func Progress(turning func() time.Duration) healthz.HealthChecker {
	var stuck atomic.Bool
	return healthz.NamedCheck("progress", func(*http.Request) error {
		took := turning()
		if took < longestTurn {
			stuck.Store(false)
			return nil
		}
		if stuck.CompareAndSwap(false, true) { // once each time
			logStacks(took)
		}
		return fmt.Errorf("the scheduling loop has been at one turn for %v", took.Round(time.Second))
	})
}

// logStacks shows where everybody is, for whoever looks into it later.
func logStacks(took time.Duration) {
	var stacks bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
		stacks.WriteString(err.Error())
	}
	klog.ErrorS(nil, "The scheduling loop is stuck", "turn", took, "goroutines", stacks.String())
}

// Closed fails until a channel is closed. what is missing is told to whoever may ask.
func Closed(name string, c <-chan struct{}, what string) healthz.HealthChecker {
	return healthz.NamedCheck(name, func(*http.Request) error {
		select {
		case <-c:
			return nil
		default:
			return fmt.Errorf("%s", what)
		}
	})
}
