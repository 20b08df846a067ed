package noderesources

import (
	"encoding/binary"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// FitName is Fit's name in a profile.
	FitName = "NodeResourcesFit"
	// TooManyPods is why a node that holds as many pods as it may was cleared.
	TooManyPods = "Too many pods"
)

// Insufficient is why a node without room for a resource was cleared.
func Insufficient(name string) string { return "Insufficient " + name }

// Fit is the plugin.
type Fit struct {
	score         strategy
	ignored       map[string]bool // extended resources that the filter leaves out
	ignoredGroups map[string]bool // the same by what stands before the slash

	needs podspec.Vector // what the filter asks for, for this attempt
}

var (
	_ framework.PreFilter = (*Fit)(nil)
	_ framework.Filter    = (*Fit)(nil)
	_ framework.Scorer    = (*Fit)(nil)
	_ framework.Keeper    = (*Fit)(nil)
)

// NewFit makes the plugin. args may be nil.
func NewFit(args *configv1.NodeResourcesFitArgs) (*Fit, error) {
	if args == nil {
		args = &configv1.NodeResourcesFitArgs{}
	}
	score, err := newStrategy(args.ScoringStrategy)
	if err != nil {
		return nil, err
	}
	f := &Fit{score: score, ignored: map[string]bool{}, ignoredGroups: map[string]bool{}}
	for _, name := range args.IgnoredResources {
		f.ignored[name] = true
	}
	for _, group := range args.IgnoredResourceGroups {
		f.ignoredGroups[group] = true
	}
	return f, nil
}

// Name returns the plugin's name.
func (*Fit) Name() string { return FitName }

// PreFilter takes over the requests without those that are ignored.
func (f *Fit) PreFilter(c *framework.Cycle) framework.Prep {
	f.needs = f.needsOf(c.View.Resources(), c.Pod)
	return framework.Prep{}
}

func (f *Fit) needsOf(resources *podspec.Resources, p *podspec.Pod) podspec.Vector {
	if len(f.ignored)+len(f.ignoredGroups) == 0 { // most profiles
		return p.Requests
	}
	return slices.DeleteFunc(slices.Clone(p.Requests), func(a podspec.Amount) bool { return f.ignores(resources.Name(a.Col)) })
}

func (f *Fit) ignores(name corev1.ResourceName) bool {
	group, _, _ := strings.Cut(string(name), "/")
	return podspec.IsExtended(name) && (f.ignored[string(name)] || f.ignoredGroups[group])
}

// Narrow clears the rows that have no room. A pod that asks for nothing still needs
// one of the node's pods.
func (f *Fit) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if why != nil {
		f.explain(c, fit, why)
		return nil
	}
	clearShort(fit, 1, c.View.PodLimit(), c.View.PodCount())
	for _, a := range f.needs {
		allocatable := c.View.Allocatable(a.Col)
		if allocatable == nil { // no node offers it
			fit.Clear()
			return nil
		}
		clearShort(fit, a.Value, allocatable, c.View.Requested(a.Col))
	}
	return nil
}

// clearShort clears the rows where less than need is free. Neither column is
// negative, so the difference cannot wrap.
func clearShort(fit *bitset.Set, need int64, allocatable, requested []int64) {
	words := fit.Words()
	for w, word := range words {
		if word == 0 {
			continue
		}
		base := w << 6 // 64 rows a word
		end := min(base+64, len(allocatable))
		offered, taken := allocatable[base:end], requested[base:end]
		taken = taken[:len(offered)]
		var short uint64
		for i, a := range offered {
			var bit uint64
			if need > a-taken[i] {
				bit = 1
			}
			short |= bit << (i & 63)
		}
		words[w] = word &^ short
	}
}

// explain does the same with reasons. A request beyond what the node offers at all
// can never be met there, whoever leaves.
func (f *Fit) explain(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) {
	var failed bitset.Set
	failed.Resize(fit.Len())
	full := shortRows(fit, 1, c.View.PodLimit(), c.View.PodCount())
	why.Note(fit, &full, fwk.Unschedulable, TooManyPods)
	failed.Or(&full)
	for _, a := range f.needs {
		offered, taken := columns(c.View, a.Col)
		short := shortRows(fit, a.Value, offered, taken)
		never := shortRows(&short, a.Value, offered, make([]int64, len(offered)))
		failed.Or(&short)
		reason := Insufficient(string(c.View.Resources().Name(a.Col)))
		short.AndNot(&never)
		why.Note(fit, &short, fwk.Unschedulable, reason)
		why.Note(fit, &never, fwk.UnschedulableAndUnresolvable, reason)
	}
	fit.AndNot(&failed)
}

// columns returns what is offered and taken of a resource; zeros when no node knows it.
func columns(v *cluster.View, col int32) (allocatable, requested []int64) {
	if allocatable = v.Allocatable(col); allocatable != nil {
		return allocatable, v.Requested(col)
	}
	return make([]int64, v.Rows()), make([]int64, v.Rows())
}

func shortRows(among *bitset.Set, need int64, allocatable, requested []int64) bitset.Set {
	var short, rest bitset.Set
	rest.CopyFrom(among)
	clearShort(&rest, need, allocatable, requested)
	short.CopyFrom(among)
	short.AndNot(&rest)
	return short
}

// Score rates the free room.
func (f *Fit) Score(c *framework.Cycle, rows []int32, out []int64) error {
	f.score.rate(c, rows, out)
	return nil
}

// Norm is none: scores are percentages.
func (*Fit) Norm() framework.Norm { return framework.NormNone }

// Fragment spells out what the filter, the score and the hints go by.
func (*Fit) Fragment(p *podspec.Pod) string {
	key := make([]byte, 0, 16*(len(p.Requests)+len(p.Scoring)+len(p.Usage))+1)
	for _, v := range []podspec.Vector{p.Requests, p.Scoring, p.Usage} {
		key = append(key, byte(len(v)))
		for _, a := range v {
			key = binary.AppendVarint(key, int64(a.Col))
			key = binary.AppendVarint(key, a.Value)
		}
	}
	return string(key)
}

// Scope is the row.
func (*Fit) Scope() framework.Scope { return framework.PerRow }
