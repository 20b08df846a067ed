package runtime_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// expectContained checks that a panic became the failure of this attempt alone.
func (s *stage) expectContained(err error, want string) {
	s.t.Helper()
	var panicked *framework.PanicError
	if !errors.As(err, &panicked) || err.Error() != want {
		s.t.Errorf("got error %v, want %s", err, want)
		return
	}
	if !strings.Contains(string(panicked.Stack), "_test.go") {
		s.t.Error("the stack does not show the plugin")
	}
	if mark := s.cluster.Try().Mark(); mark != 0 || s.cluster.PodCount()[0] != 0 {
		s.t.Errorf("the Try is left with %d changes and %d pods", mark, s.cluster.PodCount()[0])
	}
}

func TestPanicFailsTheAttemptAndNamesThePlugin(t *testing.T) {
	broken := true
	fail := func(c *framework.Cycle, _ int32) bool {
		if broken {
			c.Try.Add(c.Pod, 0) // left behind
			panic("oops")
		}
		return false
	}
	f := &filter{named: "F", refuses: allOf(because("no")), when: fail}
	s := newStage(t, "a b", &filter{named: "E"}, f, &filter{named: "G"})
	_, err := s.Narrow(s.pod("p"))
	s.expectContained(err, `plugin "F" panicked: oops`)

	s.nominated["b"] = append(s.nominated["b"], s.pod("q")) // while others are tried on the row
	_, err = s.Narrow(s.pod("p"))
	s.expectContained(err, `plugin "F" panicked: oops`)
	broken = false
	s.expectFit(s.pod("p"), "a b")
}

func TestPanicAtEachPointIsContained(t *testing.T) {
	oops := func(*framework.Cycle) framework.Prep { panic("oops") }
	s := newStage(t, "a b", &preFilter{named: "A", prepare: oops})
	_, err := s.Narrow(s.pod("p"))
	s.expectContained(err, `plugin "A" panicked: oops`)

	own := normalizer{&scorer{named: "S", norm: framework.NormCustom}, func([]int64) error { panic(errors.New("worse")) }}
	s = newStage(t, "a b", own)
	s.expectFit(s.pod("p"), "a b")
	_, err = s.Rank(0)
	s.expectContained(err, `plugin "S" panicked: worse`)

	post := &postFilter{named: "P", ask: func(c *framework.Cycle) {
		c.Try.Add(c.Pod, 0)
		panic("oops")
	}}
	s = newStage(t, "a b", &filter{named: "F", refuses: allOf(because("no"))}, post)
	s.expectFit(s.pod("p"), "")
	_, err = s.Explain()
	s.expectContained(err, `plugin "P" panicked: oops`)
}

// holder reserves, and permits, as its funcs say.
type holder struct {
	named
	reserve func(*framework.Cycle) (framework.Hold, *fwk.Status)
	permit  func() (*fwk.Status, time.Duration)
}

func (h holder) Reserve(c *framework.Cycle, _ int32) (framework.Hold, *fwk.Status) {
	return h.reserve(c)
}
func (h holder) Permit(*framework.Cycle, int32) (*fwk.Status, time.Duration) { return h.permit() }

type hold struct{ named }

func (hold) Undo() {}

func TestReserveKeepsWhatWasTakenBeforeAFailure(t *testing.T) {
	taking := func(name string, status *fwk.Status) holder {
		return holder{named: named(name), reserve: func(*framework.Cycle) (framework.Hold, *fwk.Status) { return hold{named(name)}, status }}
	}
	f := func(last holder, plugin, message, kept string) {
		t.Helper()
		s := newStage(t, "a", taking("A", nil), holder{named: "N", reserve: func(*framework.Cycle) (framework.Hold, *fwk.Status) { return nil, nil }}, last)
		var holds []string
		name, status := s.Reserve(s.pod("p"), 0, func(plugin string, h framework.Hold) { holds = append(holds, plugin+":"+h.(hold).Name()) })
		if name != plugin || status.Message() != message {
			t.Errorf("fails at %q with %q, want %q with %q", name, status.Message(), plugin, message)
		}
		expectNames(t, "holds", holds, kept)
		if s.cluster.Try().Mark() != 0 {
			t.Error("the Try is left open")
		}
	}
	f(taking("B", nil), "", "", "A:A B:B")
	f(taking("B", fwk.NewStatus(fwk.Unschedulable, "taken")), "B", "taken", "A:A B:B")
	f(holder{named: "B", reserve: func(c *framework.Cycle) (framework.Hold, *fwk.Status) {
		c.Try.Add(c.Pod, 0)
		panic("oops")
	}}, "B", "panicked: oops", "A:A")
}

func TestPermitCollectsWhoWantsToWait(t *testing.T) {
	saying := func(name string, code fwk.Code, timeout time.Duration) holder {
		return holder{named: named(name), permit: func() (*fwk.Status, time.Duration) { return fwk.NewStatus(code, "later"), timeout }}
	}
	s := newStage(t, "a", saying("A", fwk.Wait, time.Second), saying("B", fwk.Success, 0), saying("C", fwk.Wait, time.Hour))
	waits, plugin, status := s.Permit(s.pod("p"), 0)
	want := []runtime.Wait{{Plugin: "A", Timeout: time.Second}, {Plugin: "C", Timeout: 15 * time.Minute}} // no longer than that
	if len(waits) != 2 || waits[0] != want[0] || waits[1] != want[1] || plugin != "" || status != nil {
		t.Errorf("got %v, %q, %v, want %v", waits, plugin, status, want)
	}

	s = newStage(t, "a", saying("A", fwk.Wait, time.Second), saying("B", fwk.Unschedulable, 0))
	if waits, plugin, status := s.Permit(s.pod("p"), 0); waits != nil || plugin != "B" || !status.IsRejected() {
		t.Errorf("got %v, %q, %v, want B's refusal", waits, plugin, status)
	}
	s = newStage(t, "a", holder{named: "A", permit: func() (*fwk.Status, time.Duration) { panic("oops") }})
	if _, plugin, status := s.Permit(s.pod("p"), 0); plugin != "A" || status.Message() != "panicked: oops" {
		t.Errorf("got %q, %v, want A's panic", plugin, status)
	}
}
