package cluster_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/sim"
)

// The numbers that topology tells, held against a count over all pods after every operation,
// or on some tapes after some: what each selection that was ever asked for selects, on each
// row and in each domain, and in which domains the pods are whose terms match some pod.

var topologyTapes = flag.Int("topology-tapes", 400, "how many random tapes the counters are held against a recount on")

func TestTopologyCountersEqualARecount(t *testing.T) {
	sim.Each(t, *topologyTapes, func(seed uint64) error {
		player, g := sim.NewPlayer(), sim.New(seed)
		player.Cluster.Note(sim.Pick(g, 0, 0, 2, 8), sim.Pick(g, 1, 3, 128))
		unread := sim.Pick(g, 0, 0, 70) // percent of the operations after which nobody looks
		tape := g.Tape(25)
		g.FurnishTape(tape)
		tape = g.RelateTape(tape)
		judge := recount{model: newModel(player.Spec), namespaces: map[string]*corev1.Namespace{}}
		for i, op := range tape {
			if player.Play(op); op.Pod != nil && g.Chance(70) {
				judge.ask(player.Spec(op.Pod))
			}
			judge.play(op)
			var err error
			if judge.settled() && g.Chance(5) {
				err = judge.pass(300*sim.Pick(g, 1, 20), g.Chance(50), player.Cluster)
			}
			if i == len(tape)-1 || !g.Chance(unread) {
				err = cmp.Or(err, judge.compare(&player.Cluster.View, judge.asked...))
			}
			if err != nil {
				return fmt.Errorf("%w\nafter\n%s", err, lines(tape[:i+1]))
			}
		}
		return nil
	})
}

// recount is what a count over all pods needs: the model's nodes and pods, and the
// namespaces that exist.
type recount struct {
	*model
	namespaces map[string]*corev1.Namespace
	asked      []*podspec.Pod
}

func (r *recount) play(o sim.Op) {
	switch o.Verb {
	case sim.SetNamespace:
		r.namespaces[o.Namespace.Name] = o.Namespace
	case sim.RemoveNamespace:
		delete(r.namespaces, o.Name)
	default:
		r.model.play(o)
	}
}

func (r *recount) settled() bool { return len(r.tried) == 1 }

// ask makes the numbers that a pod's rules need wanted from now on.
func (r *recount) ask(p *podspec.Pod) {
	if !slices.Contains(r.asked, p) {
		r.asked = append(r.asked, p)
	}
	if len(r.asked) > 6 {
		r.asked = r.asked[1:]
	}
}

// pass lets many decisions pass, so that counters go; but not those of one pod, if it asks.
func (r *recount) pass(decisions int, asks bool, c *cluster.Cluster) error {
	var err error
	for i := range decisions {
		c.Turn()
		if asks && i%200 == 0 && len(r.asked) > 0 {
			err = cmp.Or(err, r.compare(&c.View, r.asked[0]))
		}
	}
	return err
}

func (r *recount) compare(v *cluster.View, pods ...*podspec.Pod) error {
	for _, p := range pods {
		if err := cmp.Or(r.compareSpread(v, p), r.compareAffinity(v, p), r.compareTerms(v, p)); err != nil {
			return fmt.Errorf("asked for by %s: %w", p.Ref, err)
		}
	}
	return nil
}

func (r *recount) compareSpread(v *cluster.View, p *podspec.Pod) error {
	if p.Spread == nil {
		return nil
	}
	for _, list := range [][]podspec.SpreadConstraint{p.Spread.Hard, p.Spread.Soft} {
		var keys []string
		for i := range list {
			keys = append(keys, list[i].TopologyKey)
		}
		for i := range list {
			c := &list[i]
			tally := v.Tally(&c.Pods)
			area := v.Area(&c.Where, func(w *podspec.Where) func(*corev1.Node) bool { return accepts(w, p.API) })
			counts := func(n *corev1.Node) bool {
				for _, key := range keys {
					if _, has := n.Labels[key]; !has {
						return false
					}
				}
				return accepts(&c.Where, p.API)(n)
			}
			selected := func(o *podspec.Pod) bool {
				return !o.Deleting && o.Namespace == p.Namespace && !c.Selector.Empty() && c.Selector.Matches(labels.Set(o.API.Labels))
			}
			if err := r.compareDomains(v, tally, v.Domains(tally, c.TopologyKey, area), c.TopologyKey, counts, selected); err != nil {
				return fmt.Errorf("spread over %s by %s: %w", c.TopologyKey, c.Selector, err)
			}
		}
	}
	return nil
}

// accepts is the inclusion policies by the libraries that define them.
func accepts(w *podspec.Where, p *corev1.Pod) func(*corev1.Node) bool {
	affinity := nodeaffinity.GetRequiredNodeAffinity(p)
	return func(n *corev1.Node) bool {
		if w.Affinity {
			if ok, err := affinity.Match(n); err != nil || !ok {
				return false
			}
		}
		if w.Taints {
			_, repelled := corev1helpers.FindMatchingUntoleratedTaint(logr.Discard(), n.Spec.Taints, p.Spec.Tolerations, func(t *corev1.Taint) bool {
				return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
			}, true)
			return !repelled
		}
		return true
	}
}

func (r *recount) compareAffinity(v *cluster.View, p *podspec.Pod) error {
	a := p.Affinity
	if a == nil {
		return nil
	}
	everywhere := func(*corev1.Node) bool { return true }
	check := func(s *podspec.Selection, terms ...podspec.Term) error {
		tally := v.Tally(s)
		all := func(o *podspec.Pod) bool {
			for i := range terms {
				if !r.selects(&terms[i].AffinityTerm, o) {
					return false
				}
			}
			return true
		}
		if got, want := v.Selects(s, p), all(p); got != want {
			return fmt.Errorf("selects itself: %v, want %v", got, want)
		}
		for i := range terms {
			key := terms[i].TopologyKey
			if err := r.compareDomains(v, tally, v.Domains(tally, key, nil), key, everywhere, all); err != nil {
				return fmt.Errorf("affinity over %s: %w", key, err)
			}
		}
		return nil
	}
	if len(a.Required) > 0 {
		if err := check(&a.Partners, a.Required...); err != nil {
			return err
		}
	}
	for i := range a.Anti {
		if err := check(&a.Blockers[i], a.Anti[i]); err != nil {
			return err
		}
	}
	return nil
}

// selects resolves the namespace selector to names first, as for a pod that comes.
func (r *recount) selects(t *fwk.AffinityTerm, o *podspec.Pod) bool {
	names := t.Namespaces.Clone()
	if !t.NamespaceSelector.Empty() {
		for name, n := range r.namespaces {
			if t.NamespaceSelector.Matches(labels.Set(n.Labels)) {
				names.Insert(name)
			}
		}
		resolved := fwk.AffinityTerm{Namespaces: names, NamespaceSelector: labels.Nothing(), Selector: t.Selector}
		return resolved.Matches(o.API, nil)
	}
	return t.Matches(o.API, nil)
}

// compareDomains counts the selected pods on nodes that count, by the value of a key.
func (r *recount) compareDomains(v *cluster.View, tally *cluster.Tally, d *cluster.Domains, key string,
	counts func(*corev1.Node) bool, selected func(*podspec.Pod) bool,
) error {
	want, all, on := map[string]int32{}, 0, map[string]int32{}
	pods := r.counted()
	for name, n := range r.nodes {
		for _, o := range pods[name] {
			if selected(o) {
				on[name]++
			}
		}
		if value, has := n.Labels[key]; has && counts(n) {
			want[value] += on[name]
			all += int(on[name])
		}
	}
	got, column := map[string]int32{}, v.Label(key)
	for value := range want {
		got[value] = d.Sum(column.Number(value))
	}
	if !maps.Equal(got, want) || d.Len() != len(want) || d.Pods() != all {
		return fmt.Errorf("%v in %d domains, %d in all, want %v", got, d.Len(), d.Pods(), want)
	}
	if least := least(want); d.Min() != least {
		return fmt.Errorf("at least %d pods in each of %v, want %d", d.Min(), want, least)
	}
	for name := range r.nodes { // after the domains, which must not live on it
		row, _ := v.Row(name)
		if got := tally.Rows()[row]; got != on[name] {
			return fmt.Errorf("%d pods on %s, want %d", got, name, on[name])
		}
	}
	return nil
}

func least(sums map[string]int32) int32 {
	if len(sums) == 0 {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(sums)))
}

// compareTerms looks at the terms of pods on nodes from the side of a pod that comes.
func (r *recount) compareTerms(v *cluster.View, p *podspec.Pod) error {
	want := map[string]int64{}
	var set labels.Set
	if n := r.namespaces[p.Namespace]; n != nil {
		set = n.Labels
	}
	pods := r.counted()
	for name, n := range r.nodes {
		for _, o := range pods[name] {
			if o.Affinity == nil {
				continue
			}
			note := func(what string, t *podspec.Term, d int64) {
				if value, has := n.Labels[t.TopologyKey]; has && t.Matches(p.API, set) {
					want[what+" "+t.TopologyKey+"="+value] += d
				}
			}
			for i := range o.Affinity.Required {
				note("attracted", &o.Affinity.Required[i], 1)
			}
			for i := range o.Affinity.Anti {
				note("repelled", &o.Affinity.Anti[i], 1)
			}
			for i := range o.Affinity.Preferred {
				note("weight", &o.Affinity.Preferred[i].Term, o.Affinity.Preferred[i].Weight)
			}
		}
	}
	got := map[string]int64{}
	for _, term := range v.TermsFor(p) {
		note := func(what string) func(int32, int64) {
			return func(number int32, d int64) {
				value, _ := v.Label(term.Key()).Value(number)
				got[what+" "+term.Key()+"="+value] += d
			}
		}
		term.Attracted.Each(note("attracted"))
		term.Repelled.Each(note("repelled"))
		term.Weight.Each(note("weight"))
	}
	nothing := func(_ string, n int64) bool { return n == 0 } // weights may cancel
	maps.DeleteFunc(got, nothing)
	maps.DeleteFunc(want, nothing)
	if !maps.Equal(got, want) {
		return fmt.Errorf("terms of others: %s, want %s", sorted(got), sorted(want))
	}
	return nil
}

func sorted(m map[string]int64) string {
	var parts []string
	for key, n := range m {
		parts = append(parts, fmt.Sprintf("%s:%d", key, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
