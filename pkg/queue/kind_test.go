package queue

import (
	"fmt"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// However many pods of a kind wait, an event is asked about once for all of them. Without
// a Keeper the plugin is asked about each pod.
func TestEventIsAskedAboutOncePerKind(t *testing.T) {
	f := func(keeper framework.Keeper, pods, kinds, want int) {
		t.Helper()
		asked := 0
		ask := func(*cluster.View, *podspec.Pod, any, any) (fwk.QueueingHint, error) {
			asked++
			return fwk.QueueSkip, nil
		}
		added := fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add}
		q := New(Config{Less: byPriority, Gate: testGate, Hinters: map[string][]Hinter{
			"s": {{Plugin: "Even", Keeper: keeper, Hints: []framework.Hint{{On: added, Ask: ask}}}},
		}})
		for i := range pods {
			p := podOfClass(fmt.Sprint(i), fmt.Sprint(i%kinds))
			q.Add(at(0), p)
			q.Pop(at(0))
			q.Requeue(at(0), p.UID, []string{"Even"}, nil)
		}
		q.Wake(at(0), Event{ClusterEvent: added})
		if asked != want {
			t.Errorf("%d pods of %d kinds: asked %d times, want %d", pods, kinds, asked, want)
		}
		q.Wake(at(0), Event{ClusterEvent: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.UpdateNodeTaint}})
		if asked != want {
			t.Errorf("an event that the plugin has not registered for was asked about")
		}
	}
	f(classKeeper{}, 10_000, 20, 20)
	f(classKeeper{}, 3, 3, 3)
	f(nil, 100, 20, 100)
}
