package queue

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// recorder is a Probe whose clock goes on by one each time it is read.
type recorder struct {
	now     time.Duration
	answers []Answer
}

func (r *recorder) Begin() time.Duration { r.now++; return r.now }

func (r *recorder) Hint(a Answer, since time.Duration) time.Duration {
	if r.now++; r.now-since != 1 {
		a.Hint += " took long"
	}
	r.answers = append(r.answers, a)
	return r.now
}

// Two pods of a kind are one question to each of their rejectors. A plugin without a
// question for the event is counted as well: it says Queue.
func TestEachQuestionIsTimedOnce(t *testing.T) {
	answer := fwk.QueueSkip
	var err error
	changed := fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.UpdateNodeLabel}
	added := fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}
	ask := func(*cluster.View, *podspec.Pod, any, any) (fwk.QueueingHint, error) { return answer, err }
	r := &recorder{}
	q := New(Config{
		Less: func(*framework.Queued, *framework.Queued) bool { return false },
		Gate: func(*podspec.Pod, string) string { return "" },
		Hinters: map[string][]Hinter{"s": {
			{Plugin: "Asked", Keeper: equal{}, Hints: []framework.Hint{{On: changed, Ask: ask}}},
			{Plugin: "Sure", Keeper: equal{}, Hints: []framework.Hint{{On: added}}},
		}},
		Probe: r,
	})
	for _, uid := range []types.UID{"a", "b"} {
		q.Add(clock.Now{}, &podspec.Pod{Ref: podspec.Ref{UID: uid}, Scheduler: "s"})
		q.Pop(clock.Now{})
		q.Requeue(clock.Now{}, uid, []string{"Asked", "Sure"}, nil)
	}
	f := func(ev fwk.ClusterEvent, want ...Answer) {
		t.Helper()
		r.answers = nil
		q.Wake(clock.Now{}, Event{ClusterEvent: ev})
		if diff := cmp.Diff(r.answers, want, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("%s: got (-), want (+):\n%s", ev.Label(), diff)
		}
	}
	a := podspec.Ref{UID: "a"}
	f(changed, Answer{"Asked", "NodeUpdateNodeLabel", "QueueSkip", a, nil})
	f(added, Answer{"Sure", "NodeAdd", "Queue", a, nil})
	for _, uid := range []types.UID{"a", "b"} {
		q.Pop(clock.Now{})
		q.Requeue(clock.Now{}, uid, []string{"Asked"}, nil)
	}
	answer, err = fwk.Queue, errors.New("cannot tell")
	f(changed, Answer{"Asked", "NodeUpdateNodeLabel", "Error", a, err})
}

// A hint that panics could not tell whether an event helps: then it may.
func TestPanicOfAHintWakes(t *testing.T) {
	added := fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}
	faint := func(*cluster.View, *podspec.Pod, any, any) (fwk.QueueingHint, error) { panic("it fainted") }
	r := &recorder{}
	q := New(Config{
		Less:    func(*framework.Queued, *framework.Queued) bool { return false },
		Gate:    func(*podspec.Pod, string) string { return "" },
		Hinters: map[string][]Hinter{"s": {{Plugin: "Faint", Keeper: equal{}, Hints: []framework.Hint{{On: added, Ask: faint}}}}},
		Probe:   r,
	})
	q.Add(clock.Now{}, &podspec.Pod{Ref: podspec.Ref{UID: "a"}, Scheduler: "s"})
	q.Pop(clock.Now{})
	q.Requeue(clock.Now{}, "a", []string{"Faint"}, nil)
	q.Wake(clock.Now{}, Event{ClusterEvent: added})
	if it := q.Get("a"); it.Place == Unschedulable {
		t.Error("the pod was not woken")
	}
	var panicked *framework.PanicError
	if len(r.answers) != 1 || !errors.As(r.answers[0].Err, &panicked) || panicked.Error() != `plugin "Faint" panicked: it fainted` || len(panicked.Stack) == 0 {
		t.Errorf("the answers are %+v, want the panic", r.answers)
	}
}

// equal makes all pods of one kind.
type equal struct{}

func (equal) Fragment(*podspec.Pod) string { return "" }
func (equal) Scope() framework.Scope       { return framework.Never }
