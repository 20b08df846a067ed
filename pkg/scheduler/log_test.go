package scheduler

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/component-base/logs/json"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// whence is when and where a line was logged.
var whence = regexp.MustCompile(`\{"ts":[0-9.]+,"caller":"[a-z_/]+\.go:[0-9]+",`)

// Log processors read these lines: the messages and keys are kube-scheduler's, as far as it
// has the line, and no key comes twice.
func TestDecisionsAsJSON(t *testing.T) {
	defer klog.CaptureState().Restore()
	var out bytes.Buffer
	logger, _ := json.Factory{}.Create(logsapi.LoggingConfiguration{Verbosity: 10}, logsapi.LoggingOptions{ErrorStream: &out, InfoStream: &out})
	klog.SetLogger(logger)
	var level klog.Level
	if err := level.Set("10"); err != nil {
		t.Fatal(err)
	}
	expect := func(want string) {
		t.Helper()
		if got := whence.ReplaceAllString(out.String(), "{"); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		out.Reset()
	}

	l, pod := NewLog(), podspec.Ref{Namespace: "shop", Name: "web-1"}
	decided := func(d engine.Decision) {
		d.Pod = pod
		l.Decided(d, time.Time{}, 0)
	}
	decided(engine.Decision{Seq: 1, Verdict: engine.Placed, Node: "n1", Nodes: 5, Looked: 5, Feasible: 3})
	expect(`{"msg":"Attempting to bind pod to node","v":3,"pod":{"name":"web-1","namespace":"shop"},"node":"n1"}` + "\n")
	l.Settled(engine.Settled{Seq: 1, Pod: pod, Node: "n1", Result: engine.Bound}, time.Time{})
	expect(`{"msg":"Successfully bound pod to node","v":2,"pod":{"name":"web-1","namespace":"shop"},"node":"n1","seq":1,"evaluatedNodes":5,"feasibleNodes":3}` + "\n")
	decided(engine.Decision{Seq: 2, Verdict: engine.Placed, Node: "n2"})
	out.Reset()
	l.Settled(engine.Settled{Seq: 2, Pod: pod, Node: "n2", Result: engine.Refused}, time.Time{})
	expect(`{"msg":"Pod was not bound","v":2,"pod":{"name":"web-1","namespace":"shop"},"node":"n2","result":"refused"}` + "\n")
	decided(engine.Decision{Seq: 3, Verdict: engine.Unschedulable, Message: "0/1 nodes are available: 1 Insufficient cpu."})
	expect(`{"msg":"Unable to schedule pod; no fit; waiting","v":2,"pod":{"name":"web-1","namespace":"shop"},"err":"0/1 nodes are available: 1 Insufficient cpu."}` + "\n")
	decided(engine.Decision{Seq: 4, Verdict: engine.Failed, Message: "plugin X panicked", Stack: "goroutine 1"})
	expect(`{"msg":"Error scheduling pod; retrying","pod":{"name":"web-1","namespace":"shop"},"err":"plugin X panicked"}
{"msg":"A plugin panicked","pod":{"name":"web-1","namespace":"shop"},"stack":"goroutine 1"}
`)
	decided(engine.Decision{Seq: 5, Verdict: engine.Skipped})
	expect(`{"msg":"Skip schedule deleting pod","v":3,"pod":{"name":"web-1","namespace":"shop"}}` + "\n")
	l.Decided(engine.Decision{Seq: 6, Pod: pod, Verdict: engine.Skipped, Nodes: 5, Looked: 3}, time.Time{}, 101*time.Millisecond)
	expect(`{"msg":"Scheduling a pod took long","v":0,"pod":{"name":"web-1","namespace":"shop"},"took":"101ms","nodes":5,"evaluatedNodes":3}
{"msg":"Skip schedule deleting pod","v":3,"pod":{"name":"web-1","namespace":"shop"}}
`)
}
