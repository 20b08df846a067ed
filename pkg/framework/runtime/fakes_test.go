package runtime_test

import (
	"maps"
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

type named string

func (n named) Name() string { return string(n) }

// ends sorts and binds: what every profile must have.
type ends struct{ named }

func (ends) Less(a, b *framework.Queued) bool { return a.Since < b.Since }
func (ends) Binds(*podspec.Pod) bool          { return true }

// preFilter prepares as its func says.
type preFilter struct {
	named
	prepare func(*framework.Cycle) framework.Prep
	calls   int
}

func (p *preFilter) PreFilter(c *framework.Cycle) framework.Prep {
	p.calls++
	return p.prepare(c)
}

// refusal is why a filter refuses a node.
type refusal struct {
	code    fwk.Code
	reasons []string
}

func because(reasons ...string) refusal  { return refusal{fwk.Unschedulable, reasons} }
func forEver(reasons ...string) refusal  { return refusal{fwk.UnschedulableAndUnresolvable, reasons} }
func allOf(r refusal) map[string]refusal { return map[string]refusal{"*": r} }

// filter refuses nodes by name, "*" is every node.
type filter struct {
	named
	refuses map[string]refusal
	when    func(c *framework.Cycle, row int32) bool // if not always
	err     error
	calls   int
}

func (f *filter) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	f.calls++
	if f.err != nil {
		return f.err
	}
	for row := range fit.All() {
		r, ok := f.refuses[c.View.Name(row)]
		if !ok {
			r, ok = f.refuses["*"]
		}
		if !ok || f.when != nil && !f.when(c, row) {
			continue
		}
		var one bitset.Set
		one.Resize(fit.Len())
		one.Add(row)
		for _, reason := range r.reasons {
			if why != nil {
				why.Note(fit, &one, r.code, reason)
			}
		}
		fit.Remove(row)
	}
	return nil
}

// preparedFilter is both.
type preparedFilter struct {
	*filter
	pre *preFilter
}

func (p preparedFilter) PreFilter(c *framework.Cycle) framework.Prep { return p.pre.PreFilter(c) }

func withPrep(f *filter, prepare func(*framework.Cycle) framework.Prep) preparedFilter {
	return preparedFilter{f, &preFilter{f.named, prepare, 0}}
}

// scorer gives nodes raw scores by name.
type scorer struct {
	named
	scores map[string]int64
	norm   framework.Norm
	err    error
	calls  int
}

func (s *scorer) Norm() framework.Norm { return s.norm }

func (s *scorer) Score(c *framework.Cycle, rows []int32, out []int64) error {
	s.calls++
	for i, row := range rows {
		out[i] = s.scores[c.View.Name(row)]
	}
	return s.err
}

// scoringFilter filters and scores.
type scoringFilter struct {
	preparedFilter
	scores *scorer
}

func (p scoringFilter) Norm() framework.Norm { return p.scores.Norm() }

func (p scoringFilter) Score(c *framework.Cycle, rows []int32, out []int64) error {
	return p.scores.Score(c, rows, out)
}

// preScorer is a scorer that prepares.
type preScorer struct {
	*scorer
	prep framework.Prep
}

func (p preScorer) PreScore(*framework.Cycle, []int32) framework.Prep { return p.prep }

// normalizer is a scorer that normalises by its func.
type normalizer struct {
	*scorer
	normalise func(out []int64) error
}

func (n normalizer) Normalize(_ *framework.Cycle, _ []int32, out []int64) error {
	return n.normalise(out)
}

// postFilter answers as it was told.
type postFilter struct {
	named
	result framework.PostFilterResult
	seen   *framework.Verdicts
	ask    func(*framework.Cycle)
}

func (p *postFilter) PostFilter(c *framework.Cycle, why *framework.Verdicts) framework.PostFilterResult {
	p.seen = why
	if p.ask != nil {
		p.ask(c)
	}
	return p.result
}

// nominated is a Nominator for tests: pods by node.
type nominated map[string][]*podspec.Pod

func (n nominated) Nominated(node string) []*podspec.Pod { return n[node] }
func (n nominated) Nodes() []string                      { return slices.Sorted(maps.Keys(n)) }
