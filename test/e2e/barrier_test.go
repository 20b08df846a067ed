package e2e

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/kube"
	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// A scheduler whose watch is far behind takes over. What the last one did must be put
// before the first decision.
func TestTakeoverBarrierBringsWhatTheWatchHasNot(t *testing.T) {
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("2"))))
	must(t, c.CreatePods(ctx, object.Pod("a"), object.Pod("b"), object.Pod("gone")))

	var seen collector
	w, err := kube.NewWatch(c.Client(controlplane.Scheduler), seen.put, nil)
	must(t, err)
	watching, stopWatching := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { w.Run(watching) })
	if !w.WaitForSync(ctx) {
		t.Fatal("the watch does not sync")
	}
	stopWatching() // it knows the pods, and nothing of what follows
	watch.Wait()
	must(t, client.CoreV1().Pods("default").Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Target: corev1.ObjectReference{Kind: "Node", Name: "n1"},
	}, metav1.CreateOptions{}))
	must(t, client.CoreV1().Pods("default").Delete(ctx, "gone", *metav1.NewDeleteOptions(0)))
	must(t, c.CreateNodes(ctx, object.Node("n2", object.CPU("2"))))

	began := time.Now()
	must(t, w.CatchUp(ctx))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the barrier took %v, want 5s at the most", took)
	}
	for _, want := range []string{"pod a on n1", "gone gone", "node n2"} {
		if seen.times(want) == 0 {
			t.Errorf("%q was not put; put were %v", want, seen.all)
		}
	}
}

// collector keeps what is put, in words.
type collector struct {
	mu  sync.Mutex // guards all
	all []string
}

func (c *collector) put(in engine.Input) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch in := in.(type) {
	case engine.PodSeen:
		c.all = append(c.all, fmt.Sprintf("pod %s on %s", in.Pod.Name, in.Pod.Spec.NodeName))
	case engine.PodGone:
		c.all = append(c.all, in.Pod.Name+" gone")
	case engine.NodeSeen:
		c.all = append(c.all, "node "+in.Node.Name)
	}
}

func (c *collector) times(what string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.all {
		if s == what {
			n++
		}
	}
	return n
}
