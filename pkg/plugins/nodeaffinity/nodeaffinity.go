package nodeaffinity

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "NodeAffinity"
	// ReasonPod is why a node that the pod does not select was cleared.
	ReasonPod = "node(s) didn't match Pod's node affinity/selector"
	// ReasonEnforced is why a node that the profile's added affinity does not select was.
	ReasonEnforced = "node(s) didn't match scheduler-enforced node affinity"
	// ReasonConflict is why a pod whose terms exclude each other fits nowhere.
	ReasonConflict = "pod affinity terms conflict"
)

// NodeAffinity is the plugin.
type NodeAffinity struct {
	added        *corev1.NodeAffinity       // from the arguments; may be nil
	addedMatcher *nodeaffinity.NodeSelector // its required part, for hints

	selector []term // the pod's node selector, as one term
	required []term // the pod's required terms; one must hold
	enforced []term // the added ones
	limited  bool   // the pod has required terms, maybe none that can hold
	weighted []weightedTerm

	hold, try bitset.Set // buffers of Narrow
}

var (
	_ framework.PreFilter = (*NodeAffinity)(nil)
	_ framework.Filter    = (*NodeAffinity)(nil)
	_ framework.PreScorer = (*NodeAffinity)(nil)
	_ framework.Scorer    = (*NodeAffinity)(nil)
	_ framework.Keeper    = (*NodeAffinity)(nil)
)

// New makes the plugin. args may be nil.
func New(args *configv1.NodeAffinityArgs) (*NodeAffinity, error) {
	n := &NodeAffinity{}
	if args == nil || args.AddedAffinity == nil {
		return n, nil
	}
	n.added = args.AddedAffinity
	if r := n.added.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
		matcher, err := nodeaffinity.NewNodeSelector(r)
		if err != nil {
			return nil, fmt.Errorf("parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: %w", err)
		}
		n.addedMatcher = matcher
	}
	if _, err := nodeaffinity.NewPreferredSchedulingTerms(n.added.PreferredDuringSchedulingIgnoredDuringExecution); err != nil {
		return nil, fmt.Errorf("parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: %w", err)
	}
	return n, nil
}

// Name returns the plugin's name.
func (*NodeAffinity) Name() string { return Name }

// PreFilter compiles the terms to tables over the present label values. When every
// required term names nodes, it leaves those only.
func (n *NodeAffinity) PreFilter(c *framework.Cycle) framework.Prep {
	spec := &c.Pod.API.Spec
	terms := requiredTerms(spec)
	if terms == nil && spec.NodeSelector == nil && n.addedMatcher == nil { // most pods
		return framework.Prep{Skip: true}
	}
	n.selector = n.selector[:0]
	if len(spec.NodeSelector) > 0 {
		n.selector = append(n.selector, selectorTerm(c.View, spec.NodeSelector))
	}
	n.limited = terms != nil
	n.required = appendTerms(n.required[:0], c.View, terms)
	n.enforced = n.enforced[:0]
	if n.addedMatcher != nil {
		n.enforced = appendTerms(n.enforced, c.View, n.added.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms)
	}
	names, some := namedNodes(terms)
	switch {
	case !some:
		return framework.Prep{}
	case len(names) == 0:
		return framework.Prep{Reject: framework.Reject(fwk.UnschedulableAndUnresolvable, ReasonConflict)}
	}
	return framework.Prep{Names: names}
}

// requiredTerms returns the pod's required terms; nil when it has none, empty when it
// has a list without any.
func requiredTerms(s *corev1.PodSpec) []corev1.NodeSelectorTerm {
	if s.Affinity == nil || s.Affinity.NodeAffinity == nil || s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	if terms := s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms; terms != nil {
		return terms
	}
	return []corev1.NodeSelectorTerm{}
}

// Narrow clears the rows that the added affinity, and then those that the pod, does
// not select.
func (n *NodeAffinity) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if n.addedMatcher != nil {
		n.keep(fit, n.enforced, why, ReasonEnforced)
	}
	if len(n.selector) > 0 {
		n.keep(fit, n.selector, why, ReasonPod)
	}
	if n.limited {
		n.keep(fit, n.required, why, ReasonPod)
	}
	return nil
}

// keep clears the rows of fit for which no term holds.
func (n *NodeAffinity) keep(fit *bitset.Set, terms []term, why *framework.Verdicts, reason string) {
	n.hold.Resize(fit.Len())
	n.hold.Clear()
	for i := range terms {
		n.try.CopyFrom(fit)
		terms[i].narrow(&n.try)
		n.hold.Or(&n.try)
	}
	if why == nil {
		fit.CopyFrom(&n.hold)
		return
	}
	var out bitset.Set
	out.CopyFrom(fit)
	out.AndNot(&n.hold)
	why.Clear(fit, &out, fwk.UnschedulableAndUnresolvable, reason)
}

// PreScore compiles the preferred terms, the added ones among them. Without any there
// is nothing to score.
func (n *NodeAffinity) PreScore(c *framework.Cycle, _ []int32) framework.Prep {
	n.weighted = n.weighted[:0]
	if a := c.Pod.API.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		preferred := a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution
		if _, err := nodeaffinity.NewPreferredSchedulingTerms(preferred); err != nil {
			return framework.Prep{Err: err}
		}
		n.weighted = appendWeighted(n.weighted, c.View, preferred)
		if len(preferred) > 0 && len(n.weighted) == 0 {
			n.weighted = append(n.weighted, weightedTerm{}) // they weigh nothing, but are there
		}
	}
	if n.added != nil {
		n.weighted = appendWeighted(n.weighted, c.View, n.added.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return framework.Prep{Skip: len(n.weighted) == 0}
}

// Score adds up the weights of the terms that hold.
func (n *NodeAffinity) Score(c *framework.Cycle, rows []int32, out []int64) error {
	for i := range n.weighted {
		w := &n.weighted[i]
		n.try.CopyFrom(c.View.Live())
		w.narrow(&n.try)
		words := n.try.Words()
		for k, row := range rows {
			if words[row>>6]>>(row&63)&1 != 0 { // row/64, row%64
				out[k] += w.weight
			}
		}
	}
	return nil
}

// Norm gives the largest sum 100.
func (*NodeAffinity) Norm() framework.Norm { return framework.NormMax }

// Fragment is the selector and the affinity as JSON.
func (*NodeAffinity) Fragment(p *podspec.Pod) string {
	spec := &p.API.Spec
	if spec.NodeSelector == nil && (spec.Affinity == nil || spec.Affinity.NodeAffinity == nil) { // most pods
		return ""
	}
	part := struct {
		Selector map[string]string
		Affinity *corev1.NodeAffinity
	}{Selector: spec.NodeSelector}
	if spec.Affinity != nil {
		part.Affinity = spec.Affinity.NodeAffinity
	}
	key, err := json.Marshal(part)
	if err != nil {
		panic("BUG: nodeaffinity: an affinity cannot be encoded: " + err.Error())
	}
	return string(key)
}

// Scope is the row.
func (*NodeAffinity) Scope() framework.Scope { return framework.PerRow }
