package podtopologyspread

import (
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "PodTopologySpread"
	// ReasonSkew is why a node of a domain that has too many of the pods was cleared.
	ReasonSkew = "node(s) didn't match pod topology spread constraints"
	// ReasonLabel is why a node without the label of a constraint was cleared.
	ReasonLabel = ReasonSkew + " (missing required label)"
)

// PodTopologySpread is the plugin.
type PodTopologySpread struct {
	// CompareOperators lets tolerations compare numbers with Gt and Lt.
	CompareOperators bool

	defaults podspec.Spread // for pods without constraints, without what they select
	allKeys  bool           // a node must have the keys of all default constraints to count

	pod      *podspec.Pod // that is being decided on
	hard     []constraint
	soft     []constraint
	lenient  bool                                         // of soft: no key is needed for a node to count
	borrowed podspec.Spread                               // defaults made the pod's own
	judge    func(*podspec.Where) func(*corev1.Node) bool // judgeFor pod

	full, missing []bool    // by value number; buffers, as are the others
	seen          []bool    // the same
	worth         []float64 // the same
	raw           []float64 // by feasible row
	ignored       []bool    // the same
}

// constraint is a constraint of the pod with its counters: by domain or, for a soft one
// whose key names hosts, by row.
type constraint struct {
	*podspec.SpreadConstraint
	domains *cluster.Domains

	onHost *cluster.Tally // instead of domains
	hosts  *cluster.Label // which rows have the key; nil if none has
}

var (
	_ framework.PreFilter  = (*PodTopologySpread)(nil)
	_ framework.Filter     = (*PodTopologySpread)(nil)
	_ framework.PreScorer  = (*PodTopologySpread)(nil)
	_ framework.Scorer     = (*PodTopologySpread)(nil)
	_ framework.Normalizer = (*PodTopologySpread)(nil)
	_ framework.Keeper     = (*PodTopologySpread)(nil)
	_ framework.Hinter     = (*PodTopologySpread)(nil)
)

// systemDefaults keep the pods of a service or a controller apart, on hosts and in zones.
var systemDefaults = []corev1.TopologySpreadConstraint{
	{TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.ScheduleAnyway, MaxSkew: 3},
	{TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.ScheduleAnyway, MaxSkew: 5},
}

// New makes the plugin. args may be nil: then it has the system's defaults.
func New(args *configv1.PodTopologySpreadArgs) *PodTopologySpread {
	s := &PodTopologySpread{}
	list := systemDefaults
	if args != nil && args.DefaultingType == configv1.ListDefaulting {
		list, s.allKeys = args.DefaultConstraints, true
	}
	for i := range list {
		s.defaults.Add(podspec.NewSpreadConstraint(&list[i]), list[i].WhenUnsatisfiable)
	}
	s.judge = func(w *podspec.Where) func(*corev1.Node) bool { return s.judgeFor(s.pod, w) }
	return s
}

// Name returns the plugin's name.
func (*PodTopologySpread) Name() string { return Name }

// PreFilter finds the counters of the hard constraints.
func (s *PodTopologySpread) PreFilter(c *framework.Cycle) framework.Prep {
	spread := s.spreadOf(c.View, c.Pod)
	if spread.HardErr != nil {
		return framework.Prep{Err: fmt.Errorf("obtaining pod's hard topology spread constraints: %w", spread.HardErr)}
	}
	s.hard = s.hard[:0]
	for i := range spread.Hard {
		s.hard = append(s.hard, s.counted(c, &spread.Hard[i]))
	}
	return framework.Prep{Skip: len(s.hard) == 0}
}

// spreadOf returns the constraints of a pod: its own ones, or the default ones.
func (s *PodTopologySpread) spreadOf(v *cluster.View, p *podspec.Pod) *podspec.Spread {
	if p.Spread != nil {
		return p.Spread
	}
	s.borrowed.Hard, s.borrowed.Soft = s.borrowed.Hard[:0], s.borrowed.Soft[:0]
	if siblings := v.Siblings(p); siblings != nil {
		s.borrowed.Hard = s.lend(s.borrowed.Hard, s.defaults.Hard, p, siblings)
		s.borrowed.Soft = s.lend(s.borrowed.Soft, s.defaults.Soft, p, siblings)
	}
	return &s.borrowed
}

func (s *PodTopologySpread) lend(list, defaults []podspec.SpreadConstraint, p *podspec.Pod, siblings *podspec.Selected) []podspec.SpreadConstraint {
	list = append(list, defaults...)
	for i := range list {
		list[i].Selected = *siblings
	}
	podspec.Locate(p, list, s.allKeys)
	return list
}

// counted returns a constraint with its counters by domain.
func (s *PodTopologySpread) counted(c *framework.Cycle, of *podspec.SpreadConstraint) constraint {
	s.pod = c.Pod
	area := c.View.Area(&of.Where, s.judge)
	return constraint{SpreadConstraint: of, domains: c.View.Domains(c.View.Tally(&of.Pods), of.TopologyKey, area)}
}

// judgeFor returns who says whether a node's pods count for p: by its node affinity, by
// its tolerations, or by both.
func (s *PodTopologySpread) judgeFor(p *podspec.Pod, w *podspec.Where) func(*corev1.Node) bool {
	byAffinity, byTaints := w.Affinity, w.Taints
	affinity, tolerations := nodeaffinity.GetRequiredNodeAffinity(p.API), p.Tolerations
	return func(n *corev1.Node) bool {
		if byAffinity {
			if matches, err := affinity.Match(n); err != nil || !matches {
				return false
			}
		}
		if !byTaints {
			return true
		}
		_, repelled := corev1helpers.FindMatchingUntoleratedTaint(logr.Discard(), n.Spec.Taints, tolerations, blocks, s.CompareOperators)
		return !repelled
	}
}

func blocks(t *corev1.Taint) bool {
	return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
}

// Narrow clears the rows that lack a label, and those whose domain would have too many
// more pods than the one that has fewest.
func (s *PodTopologySpread) Narrow(_ *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	for i := range s.hard {
		h := &s.hard[i]
		s.mark(h)
		if why != nil { // who lacks the label is told apart
			s.missing = bitset.Table(s.missing, int(h.domains.Top()))
			s.missing[cluster.Absent] = true
			why.ClearWhere(fit, h.domains.Numbers(), s.missing, fwk.UnschedulableAndUnresolvable, ReasonLabel)
		}
		why.ClearWhere(fit, h.domains.Numbers(), s.full, fwk.Unschedulable, ReasonSkew)
	}
	return nil
}

// mark finds out which domains are full. Rows without a domain are not for the pod
// either.
func (s *PodTopologySpread) mark(h *constraint) {
	least := int32(0)
	if h.domains.Len() >= int(h.MinDomains) {
		least = h.domains.Min()
	}
	most := int64(least) + int64(h.MaxSkew)
	if h.SelfMatch {
		most--
	}
	s.full = bitset.Table(s.full, int(h.domains.Top()))
	s.full[cluster.Absent] = true
	for number, sum := range h.domains.Sums() {
		if int64(sum) > most {
			s.full[number] = true
		}
	}
}
