package interpodaffinity

import (
	"encoding/json"

	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "InterPodAffinity"
	// ReasonAffinity is why a node without the pods to be near to was cleared.
	ReasonAffinity = "node(s) didn't match pod affinity rules"
	// ReasonAnti is why a node near to pods to be away from was.
	ReasonAnti = "node(s) didn't match pod anti-affinity rules"
	// ReasonExisting is why a node near to pods that want to be alone was.
	ReasonExisting = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// InterPodAffinity is the plugin.
type InterPodAffinity struct {
	attraction      int64 // the weight of a required term of a pod on a node
	ignorePreferred bool  // of pods on nodes, unless the pod prefers something itself

	near      []*cluster.Domains // of the pods that match all required terms, by each term's key
	first     bool               // the pod matches its own terms
	far       []*cluster.Domains // of the pods that each anti-affinity term selects
	required  bool               // the pod has terms that must hold
	out       []bool             // by value number; a buffer
	preferred keyed
}

var (
	_ framework.PreFilter = (*InterPodAffinity)(nil)
	_ framework.Filter    = (*InterPodAffinity)(nil)
	_ framework.PreScorer = (*InterPodAffinity)(nil)
	_ framework.Scorer    = (*InterPodAffinity)(nil)
	_ framework.Keeper    = (*InterPodAffinity)(nil)
	_ framework.Hinter    = (*InterPodAffinity)(nil)
)

// New makes the plugin. args may be nil.
func New(args *configv1.InterPodAffinityArgs) *InterPodAffinity {
	a := &InterPodAffinity{attraction: 1}
	if args == nil {
		return a
	}
	if args.HardPodAffinityWeight != nil {
		a.attraction = int64(*args.HardPodAffinityWeight)
	}
	a.ignorePreferred = args.IgnorePreferredTermsOfExistingPods
	return a
}

// Name returns the plugin's name.
func (*InterPodAffinity) Name() string { return Name }

// PreFilter finds the counters of the required terms.
func (a *InterPodAffinity) PreFilter(c *framework.Cycle) framework.Prep {
	a.near, a.far, a.required = a.near[:0], a.far[:0], false
	if own := c.Pod.Affinity; own != nil {
		if own.Err != nil {
			return framework.Prep{Reject: framework.Reject(fwk.UnschedulableAndUnresolvable, "parsing pod: "+own.Err.Error())}
		}
		a.count(c, own)
	}
	return framework.Prep{Skip: !a.required && !repelled(c)}
}

func (a *InterPodAffinity) count(c *framework.Cycle, own *podspec.Affinity) {
	a.required = len(own.Required)+len(own.Anti) > 0
	if len(own.Required) > 0 {
		partners := c.View.Tally(&own.Partners)
		for i := range own.Required {
			a.near = append(a.near, c.View.Domains(partners, own.Required[i].TopologyKey, nil))
		}
		a.first = c.View.Selects(&own.Partners, c.Pod)
	}
	for i := range own.Anti {
		blockers := c.View.Tally(&own.Blockers[i])
		a.far = append(a.far, c.View.Domains(blockers, own.Anti[i].TopologyKey, nil))
	}
}

// repelled reports whether some pod on a node wants to be away from the pod.
func repelled(c *framework.Cycle) bool {
	for _, t := range c.View.TermsFor(c.Pod) {
		if !t.Repelled.Empty() {
			return true
		}
	}
	return false
}

// Narrow clears the rows whose domains lack pods to be near to, have pods to be away
// from, or have pods that want to be alone, in this order.
func (a *InterPodAffinity) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	if len(a.near) > 0 {
		a.narrowNear(fit, why)
	}
	for _, d := range a.far {
		a.out = bitset.Table(a.out, int(d.Top()))
		for number, pods := range d.Sums() {
			a.out[number] = pods > 0
		}
		a.out[cluster.Absent] = false
		why.ClearWhere(fit, d.Numbers(), a.out, fwk.Unschedulable, ReasonAnti)
	}
	for _, t := range c.View.TermsFor(c.Pod) {
		if t.Repelled.Empty() {
			continue
		}
		a.out = bitset.Table(a.out, int(t.Top()))
		t.Repelled.Each(func(number int32, _ int64) { a.out[number] = true })
		why.ClearWhere(fit, t.Numbers(), a.out, fwk.Unschedulable, ReasonExisting)
	}
	return nil
}

// narrowNear clears rows that lack a key or, with it, the pods. The first of a group
// needs the keys only.
func (a *InterPodAffinity) narrowNear(fit *bitset.Set, why *framework.Verdicts) {
	alone := a.first
	for _, d := range a.near {
		alone = alone && d.Pods() == 0
	}
	for _, d := range a.near {
		a.out = bitset.Table(a.out, int(d.Top()))
		if !alone {
			sums := d.Sums()
			for number := range a.out {
				a.out[number] = number >= len(sums) || sums[number] == 0
			}
		}
		a.out[cluster.Absent] = true
		why.ClearWhere(fit, d.Numbers(), a.out, fwk.UnschedulableAndUnresolvable, ReasonAffinity)
	}
}

// Fragment is the pod's affinity to other pods, and what their terms go by.
func (*InterPodAffinity) Fragment(p *podspec.Pod) string {
	if p.Affinity == nil { // most pods
		return p.Kind
	}
	key, err := json.Marshal([]any{p.Kind, p.API.Spec.Affinity.PodAffinity, p.API.Spec.Affinity.PodAntiAffinity})
	if err != nil {
		panic("BUG: interpodaffinity: an affinity cannot be encoded: " + err.Error())
	}
	return string(key)
}

// Scope is any change: each pod that comes or goes may be one to be near to.
func (*InterPodAffinity) Scope() framework.Scope { return framework.UntilChange }
