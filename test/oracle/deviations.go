package oracle

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
	fwk "k8s.io/kube-scheduler/framework"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Deviation is a difference that we mean. The list is deviations.yaml; each id has a
// predicate here that tells its differences from all others.
type Deviation struct {
	ID    string `json:"id"`
	What  string `json:"what"`  // what is different
	Why   string `json:"why"`   // and why
	Scope string `json:"scope"` // when it can be seen
	Test  string `json:"test"`  // the test that shows it
}

//go:embed deviations.yaml
var deviationsYAML []byte

// Deviations reads the list.
func Deviations() ([]Deviation, error) {
	var list []Deviation
	if err := yaml.UnmarshalStrict(deviationsYAML, &list); err != nil {
		return nil, fmt.Errorf("cannot read the deviations: %w", err)
	}
	return list, nil
}

// predicates say, by id of a deviation, whether a difference is of that kind.
var predicates = map[string]func(q *Question, d Difference) bool{
	"saturating-sums":        sumsSaturate,
	"scores-in-range":        scoresStayInRange,
	"ties-drawn":             tiesAreDrawn,
	"ignored-resources-hint": ignoredResourcesDoNotWake,
	"added-affinity-hint":    addedAffinityWakes,
	"uncounted-amounts":      uncountedAmountsAreNoSize,

	"affinity-namespaces-hint": namespacesDecideWhoWakes,
	"kept-away-node-hint":      nodesWakeWhoIsKeptAway,
	"first-of-group-hint":      lastPartnerFreesTheFirst,
	"each-anti-term-hint":      eachAntiTermWakes,
	"spread-counts-nominated":  spreadCountsNominated,
	"terminating-pod-hint":     terminatingPodsWake,
	"node-gone-hint":           nodesTakeAwayWhoKeptAway,
	"spread-area-hint":         nodesSelectedOtherwiseWake,
	"default-spread-hint":      defaultsOfOthersWake,
	"match-label-keys-hint":    otherKeysWake,
}

// excuse returns the id of the deviation that a difference is, "" when it is none.
func excuse(q *Question, d Difference) string {
	for _, id := range slices.Sorted(maps.Keys(predicates)) {
		if predicates[id](q, d) {
			return id
		}
	}
	return ""
}

const (
	fit      = "NodeResourcesFit"
	balanced = "NodeResourcesBalancedAllocation"
)

func countsResources(plugin string) bool { return plugin == fit || plugin == balanced }

// sumsSaturate is true where upstream's numbers left int64: for a node, when all that
// the sides do not agree on is whether such a resource is sufficient; for a hint, when
// an amount of the pod or of the event does not fit.
func sumsSaturate(q *Question, d Difference) bool {
	switch d.Kind {
	case OneNode:
		return q.onlyBeyond(d.Node, d.up.Nodes[d.Node], d.our.Nodes[d.Node])
	case HowHinted:
		return d.Plugin == fit && q.eventBeyond(q.Events[d.Event])
	case IfWoken:
		return q.eventBeyond(q.Events[d.Event])
	case HowScored:
		asked, offered := q.loadOf(d.Node)
		return countsResources(d.Plugin) && (asked.anyBeyond(1) || offered.anyBeyond(1))
	}
	return false
}

// onlyBeyond reports whether two refusals differ in nothing but resources whose sums
// leave int64 on the node. Who thinks them sufficient goes on to ask other plugins.
func (q *Question) onlyBeyond(node string, up, our Refusal) bool {
	for _, r := range []*Refusal{&up, &our} {
		switch r.Plugin {
		case fit, "":
		case "PodTopologySpread", podAffinity, "NodeDeclaredFeatures": // asked after it
			*r = Refusal{}
		default:
			return false
		}
	}
	asked, offered := q.loadOf(node)
	explained := false
	for _, reason := range slices.Concat(up.Reasons, our.Reasons) {
		name, _ := strings.CutPrefix(reason, "Insufficient ")
		beyond := asked.beyond(corev1.ResourceName(name), 1) || offered.beyond(corev1.ResourceName(name), 1)
		agreed := slices.Contains(up.Reasons, reason) && slices.Contains(our.Reasons, reason)
		if !beyond && !agreed {
			return false
		}
		explained = explained || beyond
	}
	return explained
}

// eventBeyond reports whether an event is about amounts that leave int64, before and
// after together. Upstream compares the requests of pods in thousandths.
func (q *Question) eventBeyond(e Event) bool {
	asked, offered := exact{}, exact{}
	asked.addPod(q.Pod)
	for _, h := range q.happenings(e) {
		for _, o := range []any{h.before, h.after} {
			switch o := o.(type) {
			case *corev1.Node:
				offered.add(o.Status.Allocatable)
			case *corev1.Pod:
				asked.addPod(o)
			}
		}
	}
	return offered.anyBeyond(1) || asked.anyBeyond(1000)
}

// scoresStayInRange is true where a hundred times a node's free room leaves int64.
func scoresStayInRange(q *Question, d Difference) bool {
	switch d.Kind {
	case HowScored:
		return d.Plugin == fit && q.hundredfold(d.Node)
	case WhatFailed:
		return d.Ours == "" && slices.ContainsFunc(d.up.Found, q.hundredfold)
	}
	return false
}

func (q *Question) hundredfold(node string) bool {
	asked, offered := q.loadOf(node)
	return asked.anyBeyond(100) || offered.anyBeyond(100)
}

// tiesAreDrawn is true when both chose one of the best.
func tiesAreDrawn(_ *Question, d Difference) bool {
	return d.Kind == WhatChosen && slices.Contains(d.up.Best, d.Ours)
}

// ignoredResourcesDoNotWake is true where a pod asks for a resource that the profile
// ignores, and only one side cares how much of it a node has.
func ignoredResourcesDoNotWake(q *Question, d Difference) bool {
	if d.Kind != IfWoken && (d.Kind != HowHinted || d.Plugin != fit) || q.Profile != "ignored" {
		return false
	}
	asked := exact{}
	asked.addPod(q.Pod)
	gpus := asked["example.com/gpu"]
	return q.Events[d.Event].Node != nil && gpus != nil && gpus.Sign() > 0
}

// addedAffinityWakes is true where a node is relabelled so that the profile's added
// affinity selects it, and upstream did not look at that.
func addedAffinityWakes(q *Question, d Difference) bool {
	eager := d.Kind == HowHinted && d.Plugin == "NodeAffinity" && d.Upstream == string(Skip) || d.Kind == IfWoken && d.Upstream == stays
	if !eager || q.Profile != "added" || q.Events[d.Event].Node == nil {
		return false
	}
	was := q.nodeOf(q.Events[d.Event].Node.Name)
	return was != nil && !maps.Equal(was.Labels, q.Events[d.Event].Node.Labels)
}

// uncountedAmountsAreNoSize is true where a pod's requests have changed in what comes to
// nothing, and it is told as another size.
func uncountedAmountsAreNoSize(q *Question, d Difference) bool {
	if d.Kind != IfWoken || q.Events[d.Event].Pod == nil {
		return false
	}
	for _, h := range q.happenings(q.Events[d.Event]) {
		if h.ActionType == fwk.UpdatePodScaleDown || h.ActionType == fwk.UpdatePodScaleUp {
			was, now := usage(h.before.(*corev1.Pod)), usage(h.after.(*corev1.Pod))
			return uncountedChange(was, now) || uncountedChange(now, was)
		}
	}
	return false
}

// uncountedChange reports whether an amount that comes to nothing went or changed, or
// another changed by what is rounded away.
func uncountedChange(was, now corev1.ResourceList) bool {
	for name, n := range was {
		_, counted := podspec.NewResources().Column(name)
		switch m, stays := now[name]; {
		case !stays && (n.IsZero() || !counted):
			return true
		case stays && m.Cmp(n) != 0 && (!counted || unitsOf(name, m).Cmp(unitsOf(name, n)) == 0):
			return true
		}
	}
	return false
}

func usage(p *corev1.Pod) corev1.ResourceList {
	return helpers.PodRequests(p, helpers.PodResourcesOptions{
		UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
}
