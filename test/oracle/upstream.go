package oracle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// Upstream is upstream's scheduler, held still: it has a cache, a profile and a fake
// API server, and nothing runs by itself. It answers one question at a time.
type Upstream struct {
	ctx       context.Context
	stop      context.CancelFunc
	scheduler *scheduler.Scheduler
	framework framework.Framework
	snapshot  *cache.Snapshot
	informers informers.SharedInformerFactory
	listeners map[string][]fwk.ClusterEventWithHint // by plugin
}

// NewUpstream returns upstream's scheduler for one profile.
func NewUpstream(p config.KubeSchedulerProfile) (*Upstream, error) {
	klog.SetLogger(logr.Discard())
	metrics.Register()
	u := &Upstream{snapshot: cache.NewEmptySnapshot(), listeners: map[string][]fwk.ClusterEventWithHint{}}
	u.ctx, u.stop = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	client := fake.NewClientset()
	everyNode := int32(100) // percent
	u.informers = scheduler.NewInformerFactory(client, 0, nil)
	var err error
	u.scheduler, err = scheduler.New(u.ctx, client, u.informers, nil,
		profile.NewRecorderFactory(events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})),
		scheduler.WithProfiles(p), scheduler.WithNodeInfoSnapshot(u.snapshot),
		scheduler.WithParallelism(1), scheduler.WithPercentageOfNodesToScore(&everyNode))
	if err != nil {
		u.stop()
		return nil, fmt.Errorf("cannot make upstream's scheduler: %w", err)
	}
	u.framework = u.scheduler.Profiles[p.SchedulerName]
	for _, e := range u.framework.EnqueueExtensions() {
		if u.listeners[e.Name()], err = e.EventsToRegister(u.ctx); err != nil {
			u.stop()
			return nil, fmt.Errorf("cannot ask upstream's %s for its events: %w", e.Name(), err)
		}
	}
	return u, nil
}

// scorers lists the plugins that score.
func (u *Upstream) scorers() []string {
	var list []string
	for _, p := range u.framework.ListPlugins().Score.Enabled {
		list = append(list, p.Name)
	}
	return list
}

// Close ends what upstream started.
func (u *Upstream) Close() { u.stop() }

// Ask returns upstream's answer. Upstream keeps the objects only until it has
// answered, and does not change them.
func (u *Upstream) Ask(q *Question) (*Answer, error) {
	err := u.load(q)
	if err != nil {
		return nil, err
	}
	defer u.unload(q)
	a := &Answer{Nodes: map[string]Refusal{}, Gate: u.gate(q.Pod)}
	t := &attempt{Upstream: u, q: q, a: a, state: framework.NewCycleState()}
	if a.Failed, err = t.schedule(); err != nil {
		return nil, err
	}
	if a.Hints = u.hints(q, a.rejectors()); q.parks(a) {
		if a.Woken, err = u.woken(q, a.Plugins); err != nil {
			return nil, err
		}
	}
	a.Before, err = u.order(q)
	return a, err
}

// load fills the cache and takes a snapshot of it.
func (u *Upstream) load(q *Question) error {
	log := logr.Discard()
	if err := u.know(q); err != nil {
		return err
	}
	for _, n := range q.Nodes {
		u.scheduler.Cache.AddNode(log, n)
	}
	for _, p := range q.Bound {
		if err := u.scheduler.Cache.AddPod(log, p); err != nil {
			return fmt.Errorf("upstream's cache refuses %s: %w", p.Name, err)
		}
	}
	u.framework.SetPodNominator(nominate(append(slices.Clone(q.Nominated), q.Pod)))
	return u.scheduler.Cache.UpdateSnapshot(log, u.snapshot)
}

// unload empties the cache. What it could not empty would be in later answers.
func (u *Upstream) unload(q *Question) {
	log, kept := logr.Discard(), u.scheduler.Cache
	for _, p := range q.Bound {
		if err := kept.RemovePod(log, p); err != nil {
			panic(fmt.Sprintf("upstream's cache keeps pod %s: %v", p.Name, err))
		}
	}
	for _, n := range q.Nodes {
		if err := kept.RemoveNode(log, n); err != nil {
			panic(fmt.Sprintf("upstream's cache keeps node %s: %v", n.Name, err))
		}
	}
	if pods, err := kept.PodCount(); err != nil || pods != 0 || kept.NodeCount() != 0 {
		panic(fmt.Sprintf("upstream's cache keeps %d nodes and %d pods: %v", kept.NodeCount(), pods, err))
	}
}

// gate runs PreEnqueue.
func (u *Upstream) gate(p *corev1.Pod) Refusal {
	for _, pl := range u.framework.PreEnqueuePlugins() {
		if s := pl.PreEnqueue(u.ctx, p); !s.IsSuccess() {
			return refusal(pl.Name(), s.Code(), s.Reasons())
		}
	}
	return Refusal{}
}

// attempt is one question on its way through upstream's framework.
type attempt struct {
	*Upstream
	q     *Question
	a     *Answer
	state *framework.CycleState
}

// schedule lets upstream place the pod as a whole, asks it step by step, and holds
// one against the other. It returns how the attempt failed, if it did; the error is
// that upstream is at odds with itself.
func (t *attempt) schedule() (failed string, err error) {
	info, err := framework.NewPodInfo(t.q.Pod)
	if err != nil {
		return "", fmt.Errorf("upstream cannot read the pod: %w", err)
	}
	result, err := t.scheduler.SchedulePod(t.ctx, t.framework, framework.NewCycleState(), &framework.QueuedPodInfo{PodInfo: info})
	var unfit *framework.FitError
	if err != nil && !errors.As(err, &unfit) {
		failed = err.Error()
	}
	status := t.narrow()
	if status.IsSuccess() && len(t.a.Found) > 1 { // one alone is not scored
		status = t.rank()
	}
	switch {
	case !status.IsSuccess() && failed == "":
		return "", fmt.Errorf("upstream fails as a whole with %q and step by step with %q", failed, status.AsError())
	case !status.IsSuccess() || failed != "":
		return failed, nil
	case unfit != nil:
		return "", t.unfit(unfit)
	case result.FeasibleNodes != len(t.a.Found):
		return "", fmt.Errorf("upstream finds %d nodes as a whole and %v one by one", result.FeasibleNodes, t.a.Found)
	case len(t.a.Found) > 1 && !slices.Contains(t.a.Best, result.SuggestedHost):
		return "", fmt.Errorf("upstream chooses %s, its scores say %v", result.SuggestedHost, t.a.Best)
	}
	t.a.Chosen = result.SuggestedHost
	return "", nil
}

// narrow asks for each node whether it takes the pod. A status other than success is
// the error that this ended with.
func (t *attempt) narrow() *fwk.Status {
	only, status, narrowed := t.framework.RunPreFilterPlugins(t.ctx, t.state, t.q.Pod)
	if status.IsRejected() {
		t.a.Refused = refusal(status.Plugin(), status.Code(), status.Reasons())
		return nil
	}
	if !status.IsSuccess() {
		return status
	}
	t.a.Narrowed = slices.Sorted(maps.Keys(narrowed))
	for _, n := range t.q.Nodes {
		if !only.AllNodes() && !only.NodeNames.Has(n.Name) {
			t.a.Nodes[n.Name] = Refusal{Code: fwk.UnschedulableAndUnresolvable}
			continue
		}
		switch status := t.filter(n.Name); {
		case status.IsSuccess():
			t.a.Found = append(t.a.Found, n.Name)
		case status.IsRejected():
			t.a.Nodes[n.Name] = refusal(status.Plugin(), status.Code(), status.Reasons())
		default:
			return status
		}
	}
	slices.Sort(t.a.Found)
	return t.nominatedFirst()
}

func (t *attempt) filter(node string) *fwk.Status {
	return t.framework.RunFilterPluginsWithNominatedPods(t.ctx, t.state, t.q.Pod, t.node(node))
}

// node returns a node of the snapshot.
func (t *attempt) node(name string) fwk.NodeInfo {
	info, err := t.snapshot.NodeInfos().Get(name)
	if err != nil {
		panic(fmt.Sprintf("upstream's snapshot lacks node %s: %v", name, err))
	}
	return info
}

// nominatedFirst leaves the node that the pod is nominated to alone among those
// found, when it takes the pod.
func (t *attempt) nominatedFirst() *fwk.Status {
	node := t.q.Pod.Status.NominatedNodeName
	if !slices.ContainsFunc(t.q.Nodes, func(n *corev1.Node) bool { return n.Name == node }) {
		return nil
	}
	switch status := t.filter(node); {
	case status.IsSuccess():
		t.a.Found = []string{node}
	case !status.IsRejected():
		return status
	}
	return nil
}

// rank scores the nodes that were found.
func (t *attempt) rank() *fwk.Status {
	var infos []fwk.NodeInfo
	for _, node := range t.a.Found {
		infos = append(infos, t.node(node))
	}
	if status := t.framework.RunPreScorePlugins(t.ctx, t.state, t.q.Pod, infos); !status.IsSuccess() {
		return status
	}
	scores, status := t.framework.RunScorePlugins(t.ctx, t.state, t.q.Pod, infos)
	if !status.IsSuccess() {
		return status
	}
	t.a.Scores = map[string]map[string]int64{}
	for _, s := range scores {
		t.a.Scores[s.Name] = map[string]int64{}
		for _, p := range s.Scores {
			if p.Score != 0 {
				t.a.Scores[s.Name][p.Name] = p.Score
			}
		}
	}
	t.a.settleScores()
	return nil
}

// unfit takes what upstream says of an attempt that found nothing.
func (t *attempt) unfit(fit *framework.FitError) error {
	if len(t.a.Found) != 0 {
		return fmt.Errorf("upstream finds nothing as a whole and %v one by one", t.a.Found)
	}
	t.a.Failure = fit.Error()
	t.a.Plugins = fit.Diagnosis.UnschedulablePlugins.Union(fit.Diagnosis.PendingPlugins).UnsortedList()
	slices.Sort(t.a.Plugins)
	if t.a.Refused.Code != fwk.Success {
		return nil // the same status for every node
	}
	for _, n := range t.q.Nodes {
		s := fit.Diagnosis.NodeToStatus.Get(n.Name)
		whole, single := refusal(s.Plugin(), s.Code(), s.Reasons()), t.a.Nodes[n.Name]
		if single.Plugin != "" && !whole.same(single) {
			return fmt.Errorf("upstream says of %s as a whole %q and alone %q", n.Name, whole, single)
		}
		t.a.Nodes[n.Name] = whole
	}
	return nil
}
