package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	componentbaseconfig "k8s.io/component-base/config"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/utils/ptr"

	"go.uber.org/goleak"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/kube"
)

const system = "kube-system"

// candidate is a scheduler that takes part in an election.
type candidate struct {
	*watcher
	leases  *fake.Clientset // of its own: a reactor that waits holds the whole fake up
	ready   <-chan struct{}
	handled chan string
	stop    func()
	ended   <-chan error
}

// Handled hands on which events inputs were.
func (c *candidate) Handled(events []string, _ time.Duration) {
	for _, e := range events {
		c.handled <- e
	}
}

func stand(t *testing.T, client, leases *fake.Clientset, change func(*config.Config)) *candidate {
	t.Helper()
	c := &candidate{watcher: newWatcher(), leases: leases, handled: make(chan string, 1000)}
	cfg := config.Default()
	if change != nil {
		change(&cfg)
	}
	s, err := New(cfg, Deps{Client: client, Grace: 5 * time.Second, Observers: []Observer{c, NewLog()}, Election: &kube.Election{
		Client: leases, Identity: "a", Fence: kube.NewFence(time.Second), Source: "test",
		Config: componentbaseconfig.LeaderElectionConfiguration{
			ResourceLock: "leases", ResourceNamespace: system, ResourceName: "kube-scheduler",
			LeaseDuration: metav1.Duration{Duration: 2 * time.Second}, RenewDeadline: metav1.Duration{Duration: time.Second},
			RetryPeriod: metav1.Duration{Duration: 100 * time.Millisecond},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	var running sync.WaitGroup
	running.Go(func() { ended <- s.Run(ctx) })
	c.ready, c.ended, c.stop = s.Ready(), ended, cancel
	t.Cleanup(func() { cancel(); running.Wait() })
	return c
}

// until receives until an event of a kind comes.
func until(t *testing.T, events <-chan string, want string) {
	t.Helper()
	for receive(t, events) != want {
	}
}

func added(r fwk.EventResource) string {
	return fwk.ClusterEvent{Resource: r, ActionType: fwk.Add}.Label()
}

// heldBy is a lease that another holds for long.
func heldBy(identity string) *coordinationv1.Lease {
	now := metav1.NowMicro()
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: system, Name: "kube-scheduler"},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &identity, LeaseDurationSeconds: ptr.To[int32](3600), AcquireTime: &now, RenewTime: &now},
	}
}

func (c *candidate) holder(t *testing.T) string {
	t.Helper()
	lease, err := c.leases.CoordinationV1().Leases(system).Get(context.Background(), "kube-scheduler", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return *lease.Spec.HolderIdentity
}

// release makes the lease free.
func (c *candidate) release(t *testing.T) {
	t.Helper()
	if err := c.leases.Tracker().Update(coordinationv1.SchemeGroupVersion.WithResource("leases"), heldBy(""), system); err != nil {
		t.Fatal(err)
	}
}

// wholePod takes all of oneNode.
func wholePod(name, node string) *corev1.Pod {
	p := onePod(name)
	p.Spec.NodeName = node
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}}
	return p
}

// writesTo returns what was written, but for leases and events.
func writesTo(client *fake.Clientset) (writes []string) {
	for _, a := range client.Actions() {
		if verb := a.GetVerb(); a.GetResource().Resource == "pods" && !slices.Contains([]string{"get", "list", "watch"}, verb) {
			writes = append(writes, verb+" "+a.GetSubresource())
		}
	}
	return writes
}

// A standby knows what the leader did when its turn comes, and does nothing before.
func TestStandbyFollowsAndDecidesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := fake.NewClientset(oneNode())
	c := stand(t, client, fake.NewClientset(heldBy("other")), nil)
	defer func() { c.stop(); receive(t, c.ended) }()
	receive(t, c.ready)
	for _, name := range []string{"a", "b"} { // the other scheduler binds a; b finds no room
		if err := client.Tracker().Add(wholePod(name, "")); err != nil {
			t.Fatal(err)
		}
		until(t, c.handled, added(fwk.UnscheduledPod))
	}
	bound := wholePod("a", "n1")
	bound.ResourceVersion = "7"
	if err := client.Tracker().Update(corev1.SchemeGroupVersion.WithResource("pods"), bound, "ns"); err != nil {
		t.Fatal(err)
	}
	until(t, c.handled, added(fwk.AssignedPod))
	if writes := writesTo(client); len(c.decided) > 0 || len(writes) > 0 {
		t.Errorf("the standby made %d decisions and wrote %v, want nothing", len(c.decided), writes)
	}
	c.release(t)
	if d := receive(t, c.decided); d.Pod.Name != "b" || d.Verdict != engine.Unschedulable {
		t.Errorf("the first decision is %+v, want that b does not fit beside a", d)
	}
}

// The informers have not seen what the last leader did. The list that the barrier asks for
// has it.
func TestFirstDecisionIsMadeBehindTheBarrier(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := fake.NewClientset(oneNode(), wholePod("b", ""))
	asked, answer := make(chan struct{}), make(chan struct{})
	var tries atomic.Int32
	client.PrependReactor("list", "pods", func(a clienttesting.Action) (bool, kruntime.Object, error) {
		options := a.(clienttesting.ListActionImpl).ListOptions
		if options.Limit == 0 || options.ResourceVersion != "" {
			return false, nil, nil // the informer
		}
		if tries.Add(1) == 1 {
			return true, nil, errors.New("the API server is not there yet")
		}
		close(asked)
		<-answer
		return true, &corev1.PodList{Items: []corev1.Pod{*wholePod("a", "n1"), *wholePod("b", "")}}, nil
	})
	c := stand(t, client, fake.NewClientset(), nil)
	defer func() { c.stop(); receive(t, c.ended) }()
	receive(t, asked)
	if holder := c.holder(t); holder != "a" || len(c.decided) > 0 {
		t.Errorf("behind the barrier the holder is %q and %d decisions were made; want a and none", holder, len(c.decided))
	}
	close(answer)
	if d := receive(t, c.decided); d.Verdict != engine.Unschedulable {
		t.Errorf("the first decision is %+v, want that b does not fit beside a", d)
	}
}

// More pods were decided on than calls go out at once. Those that are out are resolved
// before the lease is released; the others are as if nothing had been decided.
func TestStopResolvesWhatIsOutAndTakesBackTheRest(t *testing.T) {
	defer goleak.VerifyNone(t)
	const pods = 90
	node := oneNode()
	node.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("100")
	objects := []kruntime.Object{node}
	for i := range pods {
		objects = append(objects, onePod(fmt.Sprint("p", i)))
	}
	client := fake.NewClientset(objects...)
	asked, answer := make(chan struct{}, pods), make(chan struct{})
	client.PrependReactor("create", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
		asked <- struct{}{}
		<-answer
		return true, nil, nil
	})
	c := stand(t, client, fake.NewClientset(), nil)
	for range pods {
		receive(t, c.decided)
	}
	c.stop()
	ends := map[engine.BindResult]int{}
	for ends[engine.Withdrawn] == 0 {
		ends[receive(t, c.settled).Result]++
	}
	if holder := c.holder(t); holder != "a" || len(c.ended) > 0 {
		t.Errorf("with binds out the holder is %q and the end has come %d times; want a and 0", holder, len(c.ended))
	}
	close(answer)
	for range pods - 1 {
		ends[receive(t, c.settled).Result]++
	}
	if err := receive(t, c.ended); err != nil {
		t.Errorf("ended with %v, want nil", err)
	}
	if holder := c.holder(t); holder != "" {
		t.Errorf("in the end the holder is %q, want nobody", holder)
	}
	if sent := len(asked); ends[engine.Bound] != sent || ends[engine.Withdrawn] != pods-sent {
		t.Errorf("%d of %d binds were sent; settled are %v", sent, pods, ends)
	}
}

func TestLostLeaseEndsTheRunAndItsDecisions(t *testing.T) {
	defer goleak.VerifyNone(t)
	leases := fake.NewClientset()
	var cutOff atomic.Bool
	leases.PrependReactor("*", "leases", func(clienttesting.Action) (bool, kruntime.Object, error) {
		return cutOff.Load(), nil, errors.New("no route to host")
	})
	c := stand(t, fake.NewClientset(oneNode(), onePod("a")), leases, nil)
	receive(t, c.settled)
	cutOff.Store(true)
	if err := receive(t, c.ended); !errors.Is(err, kube.ErrLost) {
		t.Errorf("ended with %v, want %v", err, kube.ErrLost)
	}
}

// A standby that is told to start its informers when it leads is not ready before.
func TestColdStandbyLooksAtNothingUntilItLeads(t *testing.T) {
	defer goleak.VerifyNone(t)
	client, leases := fake.NewClientset(oneNode(), onePod("a")), fake.NewClientset(heldBy("other"))
	tried := make(chan struct{}, 100)
	leases.PrependReactor("get", "leases", func(clienttesting.Action) (bool, kruntime.Object, error) {
		tried <- struct{}{}
		return false, nil, nil
	})
	c := stand(t, client, leases, func(cfg *config.Config) { cfg.DelayCacheUntilActive = true })
	defer func() { c.stop(); receive(t, c.ended) }()
	receive(t, tried)
	receive(t, tried)
	if calls := client.Actions(); len(calls) > 0 {
		t.Errorf("the standby calls %v, want nothing", calls)
	}
	c.release(t)
	receive(t, c.ready)
	if s := receive(t, c.settled); s.Result != engine.Bound {
		t.Errorf("settled = %+v, want a bound", s)
	}
}

func TestStandbyThatNeverLedStopsAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := fake.NewClientset(oneNode(), onePod("a"))
	c := stand(t, client, fake.NewClientset(heldBy("other")), nil)
	receive(t, c.ready)
	c.stop()
	if err := receive(t, c.ended); err != nil {
		t.Errorf("ended with %v, want nil", err)
	}
	if writes := writesTo(client); len(writes) > 0 || c.holder(t) != "other" {
		t.Errorf("the standby wrote %v, the lease is %q's; want nothing, and the other's", writes, c.holder(t))
	}
}
