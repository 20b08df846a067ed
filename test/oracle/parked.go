package oracle

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// A pod that no node takes is parked in the queue, and events take it out again.
// Upstream's queue is told of its events by upstream's own account of what changed;
// our engine sees the changed object as a watch brings it. So what an event is, which
// plugins are asked and what the queue makes of it are compared as one.

// The words for what became of a parked pod.
const (
	isWoken = "woken"
	stays   = "stays"
)

// parks reports whether the attempt ends with the pod among the unschedulable ones
// and without anybody who waits with it.
func (q *Question) parks(a *Answer) bool {
	return len(a.Found) == 0 && a.Failed == "" && a.Gate.Code == fwk.Success && len(q.Nominated) == 0 &&
		q.Pod.Spec.NodeName == "" && q.Pod.DeletionTimestamp == nil
}

// arrival is when a nominated pod came to the queue; the pod of the question is -1.
func arrival(i int) time.Duration {
	return time.Duration([]int{1, 2, 0, 1}[(i+1)%4]) * time.Second
}

// order asks upstream's queue sort.
func (u *Upstream) order(q *Question) ([]bool, error) {
	queued := func(p *corev1.Pod, i int) (*framework.QueuedPodInfo, error) {
		info, err := framework.NewPodInfo(p)
		since := framework.QueueingParams{Timestamp: time.Unix(0, 0).Add(arrival(i))}
		return &framework.QueuedPodInfo{PodInfo: info, QueueingParams: since}, err
	}
	pod, err := queued(q.Pod, -1)
	if err != nil {
		return nil, fmt.Errorf("upstream cannot read the pod: %w", err)
	}
	var before []bool
	for i, p := range q.Nominated {
		other, err := queued(p, i)
		if err != nil {
			return nil, fmt.Errorf("upstream cannot read %s: %w", p.Name, err)
		}
		before = append(before, u.framework.QueueSortFunc()(pod, other))
	}
	return before, nil
}

// woken parks the pod in upstream's queue once for each event, tells the queue of it,
// and looks whether the pod is still there.
func (u *Upstream) woken(q *Question, rejectors []string) ([]string, error) {
	var said []string
	for _, e := range q.Events {
		if err := u.park(q.Pod, rejectors); err != nil {
			return nil, err
		}
		last := q.Pod
		line := u.scheduler.SchedulingQueue
		if e.Pod != nil && e.Pod.UID == q.Pod.UID {
			last = e.Pod
			line.Update(u.ctx, q.Pod, e.Pod)
		} else {
			for _, h := range q.happenings(e) {
				line.MoveAllToActiveOrBackoffQueue(logr.Discard(), h.ClusterEvent, h.before, h.after, nil)
			}
		}
		parked := slices.ContainsFunc(line.UnschedulablePods(), func(p *corev1.Pod) bool { return p.UID == q.Pod.UID })
		said = append(said, map[bool]string{true: stays, false: isWoken}[parked])
		line.Delete(logr.Discard(), last)
	}
	return said, nil
}

// park lets a pod fail an attempt.
func (u *Upstream) park(p *corev1.Pod, rejectors []string) error {
	line := u.scheduler.SchedulingQueue
	line.Add(u.ctx, p)
	popped, err := line.Pop(logr.Discard())
	if err != nil {
		return fmt.Errorf("upstream's queue does not give the pod: %w", err)
	}
	info, ok := popped.(*framework.QueuedPodInfo)
	if !ok || info.Pod.UID != p.UID {
		return fmt.Errorf("upstream's queue gives another pod than %s", p.Name)
	}
	info.UnschedulablePlugins.Insert(rejectors...)
	if err := line.AddUnschedulablePodIfNotPresent(logr.Discard(), info, line.SchedulingCycle()); err != nil {
		return fmt.Errorf("upstream's queue does not take the pod back: %w", err)
	}
	return nil
}

// woken lets an engine see the cluster, fail to place the pod, and see what happens;
// a fresh one for each event.
func (b *Berth) woken(q *Question) ([]string, error) {
	var said []string
	for _, e := range q.Events {
		eng, err := b.park(q)
		if err != nil {
			return nil, err
		}
		eng.Step(clock.Now{}, q.input(e))
		it := eng.Queue().Get(q.Pod.UID)
		switch {
		case it == nil:
			said = append(said, "gone")
		case it.Place == queue.Unschedulable:
			said = append(said, stays)
		default:
			said = append(said, isWoken)
		}
	}
	return said, nil
}

// park returns an engine in which the pod has failed one attempt.
func (b *Berth) park(q *Question) (*engine.Engine, error) {
	plugins, _, err := instances(b.profile)
	if err != nil {
		return nil, err
	}
	eng, err := engine.New(engine.Config{
		Profiles:             []engine.Profile{{Profile: runtime.AtAllPoints(corev1.DefaultSchedulerName, plugins)}},
		Compiler:             podspec.NewCompiler(),
		InitialBackoff:       time.Second,
		MaxBackoff:           time.Second,
		UnschedulableTimeout: time.Hour,
	})
	if err != nil {
		return nil, fmt.Errorf("cannot make our engine: %w", err)
	}
	w := trimmed(q.world())
	for _, n := range w.Namespaces {
		eng.Step(clock.Now{}, engine.NamespaceSeen{Namespace: n})
	}
	for _, s := range w.Services {
		eng.Step(clock.Now{}, engine.ServiceSeen{Namespace: s.Namespace, Name: s.Name, Selector: s.Spec.Selector})
	}
	for _, b := range w.Backers {
		eng.Step(clock.Now{}, engine.ControllerSeen{Controller: b.Controller, Selector: b.Selector})
	}
	for _, n := range w.Nodes {
		eng.Step(clock.Now{}, engine.NodeSeen{Node: n})
	}
	for _, p := range w.Bound {
		eng.Step(clock.Now{}, engine.PodSeen{Pod: p})
	}
	eng.Step(clock.Now{}, engine.PodSeen{Pod: trimPod(q.Pod)})
	out := eng.Step(clock.Now{}, engine.Decide{})
	if len(out.Decisions) != 1 || out.Decisions[0].Verdict != engine.Unschedulable {
		return nil, fmt.Errorf("our engine decides %+v, and our chain finds no node", out.Decisions)
	}
	return eng, nil
}

// input is an event as the engine is told of it.
func (q *Question) input(e Event) engine.Input {
	switch {
	case e.Node != nil:
		return engine.NodeSeen{Node: trim(e.Node).(*corev1.Node)}
	case e.Pod != nil:
		return engine.PodSeen{Pod: trimPod(e.Pod)}
	case e.NodeGone != "":
		return engine.NodeGone{Name: e.NodeGone}
	}
	return engine.PodGone{Pod: podspec.RefOf(q.podOf(e.PodGone))}
}
