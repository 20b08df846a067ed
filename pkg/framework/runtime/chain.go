package runtime

import (
	"fmt"
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

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

	prepared, narrowed uint64 // how often it was asked, once for each row to narrow
}

// scorer is a plugin at PreScore and Score.
type scorer struct {
	name    string
	weight  int64
	pre     framework.PreScorer
	score   framework.Scorer
	skipped bool

	prepared, scored uint64 // how often it was asked, once for each row to score
}

// Chain is a compiled profile. It works for one goroutine and one attempt at a time.
type Chain struct {
	profile string
	table   Table

	preEnqueue  []framework.PreEnqueue
	sort        framework.QueueSort
	steps       []step  // PreFilter's order, then those that only filter
	filters     []*step // configured order
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
	names    []string   // nodes that PreFilter left, when narrowed is not empty
	only     bitset.Set // their rows
	one      bitset.Set // a mask for a single row
	rows     []int32
	raw      []int64
	total    []int64
	why      framework.Verdicts
	refusal  *refusal // a PreFilter's
	narrowed []string // the plugins whose PreFilter named nodes
	answers  []*framework.Answer

	probe Probe // nil: nothing is measured
	each  bool  // plugins are timed one by one

	window    *Window // nil: all nodes
	sample    Sample
	evaluated int
}

// refusal is a PreFilter's rejection of every node.
type refusal struct {
	plugins []string
	*framework.Rejection
}

// New compiles a profile.
func New(p Profile, c *cluster.Cluster, nominator Nominator) (*Chain, error) {
	table, err := p.expand()
	if err != nil {
		return nil, err
	}
	ch := &Chain{profile: p.Name, table: table, nominator: nominator}
	ch.cycle = framework.Cycle{View: &c.View, Try: c.Try(), Fits: ch.fits}
	ch.fill(p.Made)
	return ch, ch.check(len(table[config.QueueSort]))
}

// fill puts the plugins in place.
func (ch *Chain) fill(made map[string]framework.Plugin) {
	ch.fillSteps(made)
	for _, e := range ch.table[config.Score] {
		if s, ok := made[e.Name].(framework.Scorer); ok {
			// Who scores is prepared, whatever is said about PreScore.
			pre, _ := made[e.Name].(framework.PreScorer)
			ch.scorers = append(ch.scorers, scorer{name: e.Name, weight: e.Weight, pre: pre, score: s})
		}
	}
	ch.preEnqueue = those[framework.PreEnqueue](ch.table[config.PreEnqueue], made)
	ch.postFilters = those[framework.PostFilter](ch.table[config.PostFilter], made)
	ch.reservers = those[framework.Reserver](ch.table[config.Reserve], made)
	ch.permitters = those[framework.Permitter](ch.table[config.Permit], made)
	if sorts := those[framework.QueueSort](ch.table[config.QueueSort], made); len(sorts) > 0 {
		ch.sort = sorts[0]
	}
	if binders := those[framework.Binder](ch.table[config.Bind], made); len(binders) > 0 {
		ch.binder = binders[0]
	}
	ch.fillRejectors(made)
}

// those returns the plugins of a list as what they implement. One that is there by name
// alone does nothing.
func those[P framework.Plugin](list []config.Plugin, made map[string]framework.Plugin) (out []P) {
	for _, e := range list {
		if p, ok := made[e.Name].(P); ok {
			out = append(out, p)
		}
	}
	return out
}

// fillSteps makes a step of each plugin that is at PreFilter or Filter. Who filters is
// prepared, whatever is said about PreFilter: it comes after those that are named there.
func (ch *Chain) fillSteps(made map[string]framework.Plugin) {
	at := map[string]int{}
	for _, e := range slices.Concat(ch.table[config.PreFilter], ch.table[config.Filter]) {
		if _, there := at[e.Name]; !there {
			pre, _ := made[e.Name].(framework.PreFilter)
			at[e.Name] = len(ch.steps)
			ch.steps = append(ch.steps, step{name: e.Name, pre: pre})
		}
	}
	for _, e := range ch.table[config.Filter] {
		if f, ok := made[e.Name].(framework.Filter); ok {
			s := &ch.steps[at[e.Name]]
			s.filter = f
			ch.filters = append(ch.filters, s)
		}
	}
	ch.quick = quickOrder(ch.filters)
}

// fillRejectors collects those that can keep a pod from being placed.
func (ch *Chain) fillRejectors(made map[string]framework.Plugin) {
	seen := map[string]bool{}
	for _, at := range []config.Point{config.PreEnqueue, config.PreFilter, config.Filter, config.Reserve, config.Permit} {
		for _, e := range ch.table[at] {
			if p := made[e.Name]; !seen[e.Name] && mayReject(p) {
				ch.rejectors = append(ch.rejectors, p)
			}
			seen[e.Name] = true
		}
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

// Table returns who runs at each point.
func (ch *Chain) Table() Table { return ch.table }

// Less orders the active queue.
func (ch *Chain) Less(a, b *framework.Queued) bool { return ch.sort.Less(a, b) }

// Rejectors returns the plugins that can refuse a pod, in the order of the points where
// they first may.
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
	since := ch.begin()
	plugin, r := ch.gate(p, last)
	ch.ran(config.PreEnqueue, fwk.Success, since) // whatever was found, as upstream counts it
	return plugin, r
}

func (ch *Chain) gate(p *podspec.Pod, last string) (string, *framework.Rejection) {
	since := ch.call()
	for _, first := range []bool{true, false} {
		for _, pl := range ch.preEnqueue {
			if (pl.Name() == last) != first {
				continue
			}
			r := pl.PreEnqueue(p)
			if r != nil {
				ch.called(pl.Name(), config.PreEnqueue, r.Code, since)
				return pl.Name(), r
			}
			since = ch.called(pl.Name(), config.PreEnqueue, fwk.Success, since)
		}
	}
	return "", nil
}
