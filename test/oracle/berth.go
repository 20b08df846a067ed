package oracle

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/kube"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
	"github.com/berth-scheduler/berth/test/sim"
)

// Berth is our side. Each question gets a cluster and a chain of its own.
type Berth struct{ profile Profile }

// Ask returns our answer. draw decides between equal nodes.
func (b *Berth) Ask(q *Question, draw uint64) (*Answer, error) {
	var nominator queue.Nominator
	specs := podspec.NewCompiler()
	c := trimmed(q.world()).Load(specs)
	plugins, _, err := instances(b.profile)
	if err != nil {
		return nil, fmt.Errorf("cannot make our plugins: %w", err)
	}
	chain, err := runtime.New(runtime.AtAllPoints(corev1.DefaultSchedulerName, plugins), c, &nominator)
	if err != nil {
		return nil, fmt.Errorf("cannot compile our profile: %w", err)
	}
	pod := specs.Compile(trimPod(q.Pod))
	a := &Answer{Nodes: map[string]Refusal{}}
	for i, p := range q.Nominated {
		spec := specs.Compile(trimPod(p))
		nominator.Set(spec, spec.Nominated)
		a.Before = append(a.Before, chain.Less(&framework.Queued{Pod: pod, Since: arrival(-1)}, &framework.Queued{Pod: spec, Since: arrival(i)}))
	}
	nominator.Set(pod, pod.Nominated)
	if plugin, r := chain.Gate(pod, ""); r != nil {
		a.Gate = refusal(plugin, r.Code, r.Reasons)
	}
	if found, err := chain.Narrow(pod); err != nil {
		a.Failed = err.Error()
	} else if err := explain(chain, &c.View, a, found); err != nil {
		return nil, err
	}
	if len(a.Found) > 0 {
		rank(chain, &c.View, a, draw)
	}
	if q.parks(a) {
		if a.Woken, err = b.woken(q); err != nil {
			return nil, err
		}
	}
	a.Hints = b.hints(q, a.rejectors(), &c.View, specs, chain)
	return a, nil
}

// explain fills in what was found, and why the other nodes were refused.
func explain(chain *runtime.Chain, v *cluster.View, a *Answer, found int) error {
	why, err := chain.Explain()
	if err != nil {
		return fmt.Errorf("our Explain: %w", err)
	}
	for row := range chain.Feasible().All() {
		a.Found = append(a.Found, v.Name(row))
	}
	slices.Sort(a.Found)
	if len(a.Found) != found {
		return fmt.Errorf("we find %d nodes, which are %v", found, a.Found)
	}
	if a.Narrowed = why.Plugins; found == 0 {
		a.Failure = why.Text()
		a.Plugins = slices.Sorted(slices.Values(why.Plugins))
	}
	if plugins, r := chain.Refused(); r != nil {
		a.Refused = refusal(plugins[0], r.Code, r.Reasons)
		return nil
	}
	for _, verdict := range chain.Verdicts().List() {
		for row := range verdict.Rows.All() {
			node := v.Name(row)
			code, reasons := chain.Verdicts().Row(row)
			a.Nodes[node] = refusal(verdict.Plugin, code, reasons)
		}
	}
	return nil
}

// rank fills in the scores, where there is something to compare, and the choice.
func rank(chain *runtime.Chain, v *cluster.View, a *Answer, draw uint64) {
	choice, err := chain.Rank(draw)
	if err != nil {
		a.Failed = err.Error()
		return
	}
	a.Chosen = v.Name(choice.Row)
	if len(a.Found) == 1 {
		return
	}
	rows, scores, err := chain.Scores()
	if err != nil {
		a.Failed = err.Error()
		return
	}
	a.Scores = map[string]map[string]int64{}
	for i, row := range rows {
		weighted := map[string]int64{}
		for _, s := range scores {
			if s.Scores[i] != 0 {
				weighted[s.Plugin] = s.Scores[i] * s.Weight
			}
		}
		a.Scores[v.Name(row)] = weighted
	}
	a.settleScores()
	a.Top, a.Ties = choice.Score, choice.Ties // as the chain says, not as the parts add up
}

// trimmed returns the cluster as informers give it to us.
func trimmed(w *sim.World) *sim.World {
	out := &sim.World{Namespaces: w.Namespaces, Services: w.Services, Backers: w.Backers}
	for _, n := range w.Nodes {
		out.Nodes = append(out.Nodes, trim(n).(*corev1.Node))
	}
	for _, p := range w.Bound {
		out.Bound = append(out.Bound, trimPod(p))
	}
	return out
}

func trimPod(p *corev1.Pod) *corev1.Pod { return trim(p).(*corev1.Pod) }

// trim returns a trimmed copy of an object, nil for none.
func trim(o any) any {
	switch o := o.(type) {
	case *corev1.Node:
		return mustTrim(o.DeepCopy())
	case *corev1.Pod:
		return mustTrim(o.DeepCopy())
	}
	return nil
}

func mustTrim(o any) any {
	out, err := kube.Trim(o)
	if err != nil {
		panic(fmt.Sprintf("BUG: oracle: cannot trim a %T: %v", o, err))
	}
	return out
}
