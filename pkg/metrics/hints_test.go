package metrics

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

func TestHintThatFailsIsLogged(t *testing.T) {
	defer klog.CaptureState().Restore()
	var out strings.Builder
	klog.SetLogger(funcr.New(func(_, args string) { out.WriteString(args + "\n") }, funcr.Options{}))
	p, pod := NewHintProbe(), podspec.Ref{Namespace: "ns", Name: "a"}
	p.Hint(queue.Answer{Plugin: "Fit", Event: "NodeAdd", Hint: "Queue", Pod: pod}, 0)
	p.Hint(queue.Answer{Plugin: "Fit", Event: "NodeAdd", Hint: "Error", Pod: pod, Err: &framework.PanicError{Plugin: "Fit", Value: "oh", Stack: []byte("goroutine 1")}}, 0)
	for _, want := range []string{`"QueueingHintFn returns error" "error"="plugin \"Fit\" panicked: oh"`, `"pod"={"name"="a" "namespace"="ns"}`, `"stack"="goroutine 1"`} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("the log is %s, want %s once", out.String(), want)
		}
	}
}

func TestHintsAreTimedOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewHintProbe()
		began := p.Begin()
		time.Sleep(time.Second) // of the bubble
		if next := p.Hint(queue.Answer{Plugin: "Fit", Event: "NodeAdd", Hint: "Queue"}, began); next != began+time.Second {
			t.Errorf("the next hint begins at %v, want %v", next, began+time.Second)
		}
	})
}
