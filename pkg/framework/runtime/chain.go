package runtime

import (
	"fmt"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Enabled is a plugin that a profile runs. Weight counts where it scores; 0 is 1.
type Enabled struct {
	Plugin framework.Plugin
	Weight int64
}

// Nominator knows the pods that are nominated to nodes.
type Nominator interface {
	// Nominated returns the pods nominated to a node, in any fixed order.
	Nominated(node string) []*podspec.Pod
	// Nodes returns the nodes that have such pods, in any fixed order.
	Nodes() []string
}

// step is a plugin at PreFilter and Filter.
type step struct {
	name    string
	pre     framework.PreFilter
	filter  framework.Filter
	skipped bool // by PreFilter, for this attempt
}

// scorer is a plugin at PreScore and Score.
type scorer struct {
	name    string
	weight  int64
	pre     framework.PreScorer
	score   framework.Scorer
	skipped bool
}

// Chain is a compiled profile. It works for one goroutine and one attempt at a time.
type Chain struct {
	profile string

	preEnqueue  []framework.PreEnqueue
	sort        framework.QueueSort
	steps       []step  // configured order
	quick       []*step // narrowing order
	scorers     []scorer
	postFilters []framework.PostFilter
	reservers   []framework.Reserver
	permitters  []framework.Permitter
	binder      framework.Binder
	rejectors   []framework.Plugin // those that can refuse a pod

	nominator Nominator
	cycle     framework.Cycle
	running   string // the plugin at work, for a panic's message

	fit      bitset.Set // the rows that are left
	only     bitset.Set // rows that PreFilter left, when narrowedBy is not empty
	one      bitset.Set // a mask for a single row
	rows     []int32
	raw      []int64
	total    []int64
	why      framework.Verdicts
	refusal  *refusal // a PreFilter's
	narrowed []string // the plugins whose PreFilter named rows
	answers  []*framework.Answer

	window    *Window // nil: all nodes
	sample    Sample
	evaluated int
}

// refusal is a PreFilter's rejection of every node.
type refusal struct {
	plugins []string
	*framework.Rejection
}

// New compiles the plugins of a profile, in MultiPoint order.
func New(profile string, plugins []Enabled, c *cluster.Cluster, nominator Nominator) (*Chain, error) {
	ch := &Chain{profile: profile, nominator: nominator}
	ch.cycle = framework.Cycle{View: &c.View, Try: c.Try(), Fits: ch.fits}
	seen := map[string]bool{}
	sorts := 0
	for _, e := range plugins {
		name := e.Plugin.Name()
		if seen[name] {
			return nil, fmt.Errorf("plugin %q already registered", name)
		}
		seen[name] = true
		if _, ok := e.Plugin.(framework.QueueSort); ok {
			sorts++
		}
		ch.enable(e)
	}
	ch.quick = quickOrder(ch.steps)
	return ch, ch.check(sorts)
}

// enable adds a plugin to each point that it implements.
func (ch *Chain) enable(e Enabled) {
	name := e.Plugin.Name()
	pre, isPre := e.Plugin.(framework.PreFilter)
	filter, isFilter := e.Plugin.(framework.Filter)
	if isPre || isFilter {
		ch.steps = append(ch.steps, step{name: name, pre: pre, filter: filter})
	}
	if s, ok := e.Plugin.(framework.Scorer); ok {
		prescore, _ := e.Plugin.(framework.PreScorer)
		ch.scorers = append(ch.scorers, scorer{name: name, weight: max(1, e.Weight), pre: prescore, score: s})
	}
	if p, ok := e.Plugin.(framework.PreEnqueue); ok {
		ch.preEnqueue = append(ch.preEnqueue, p)
	}
	if p, ok := e.Plugin.(framework.QueueSort); ok {
		ch.sort = p
	}
	if p, ok := e.Plugin.(framework.PostFilter); ok {
		ch.postFilters = append(ch.postFilters, p)
	}
	if p, ok := e.Plugin.(framework.Reserver); ok {
		ch.reservers = append(ch.reservers, p)
	}
	if p, ok := e.Plugin.(framework.Permitter); ok {
		ch.permitters = append(ch.permitters, p)
	}
	if p, ok := e.Plugin.(framework.Binder); ok && ch.binder == nil {
		ch.binder = p
	}
	if mayReject(e.Plugin) {
		ch.rejectors = append(ch.rejectors, e.Plugin)
	}
}

func (ch *Chain) check(sorts int) error {
	if sorts != 1 {
		return fmt.Errorf("only one queue sort plugin required for profile with scheduler name %q, but got %d", ch.profile, sorts)
	}
	if ch.binder == nil {
		return fmt.Errorf("at least one bind plugin is needed for profile with scheduler name %q", ch.profile)
	}
	for i := range ch.scorers {
		s := &ch.scorers[i]
		if _, ok := s.score.(framework.Normalizer); s.score.Norm() == framework.NormCustom && !ok {
			return fmt.Errorf("BUG: plugin %q normalises its own scores but is no Normalizer", s.name)
		}
	}
	return nil
}

// Profile returns the scheduler name that the chain serves.
func (ch *Chain) Profile() string { return ch.profile }

// Less orders the active queue.
func (ch *Chain) Less(a, b *framework.Queued) bool { return ch.sort.Less(a, b) }

// Rejectors returns the plugins that can refuse a pod, in order.
func (ch *Chain) Rejectors() []framework.Plugin { return ch.rejectors }

// mayReject reports whether a plugin can keep a pod from being placed.
func mayReject(p framework.Plugin) bool {
	switch p.(type) {
	case framework.PreEnqueue, framework.PreFilter, framework.Filter, framework.Reserver, framework.Permitter:
		return true
	}
	return false
}

// Binder returns the name of the plugin that binds.
func (ch *Chain) Binder() string { return ch.binder.Name() }

// Gate runs PreEnqueue and returns the first plugin that keeps the pod out of the
// queue, and why; "" when none does. last, the one that did before, is asked first.
func (ch *Chain) Gate(p *podspec.Pod, last string) (string, *framework.Rejection) {
	for _, first := range []bool{true, false} {
		for _, pl := range ch.preEnqueue {
			if (pl.Name() == last) != first {
				continue
			}
			if r := pl.PreEnqueue(p); r != nil {
				return pl.Name(), r
			}
		}
	}
	return "", nil
}
