package oracle

import (
	_ "embed"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

//go:embed open.yaml
var openYAML []byte

// Open reads the list of bugs that are known and not mended.
func Open() ([]Deviation, error) { return readList(openYAML) }

// openBugs are their predicates by id.
var openBugs = map[string]func(q *Question, d Difference) bool{
	"disjoint-names": func(_ *Question, d Difference) bool {
		return d.Kind == AllNodes && leftOut(d.up.Refused) && strings.HasSuffix(d.up.Refused.Reasons[0], " simultaneously") && d.our.Refused.Code == fwk.Success
	},
	"nominated-outside": func(q *Question, d Difference) bool {
		if d.Kind != OneNode || q.Pod.Status.NominatedNodeName == "" || !leftOut(d.our.Nodes[d.Node]) {
			return false
		}
		return d.Node == q.Pod.Status.NominatedNodeName || leftOut(d.up.Nodes[d.Node])
	},
	"declared-features-hint": func(q *Question, d Difference) bool {
		if (d.Kind != HowHinted || d.Plugin != declaredFeatures) && (d.Kind != IfWoken || !slices.Contains(d.up.Plugins, declaredFeatures)) {
			return false
		}
		quiet := d.Upstream == string(Queue) && d.Ours == string(Skip) || d.Upstream == isWoken && d.Ours == stays
		return quiet && q.Events[d.Event].Node != nil
	},
	"added-affinity-hint": func(q *Question, d Difference) bool {
		eager := d.Kind == HowHinted && d.Plugin == "NodeAffinity" && d.Upstream == string(Skip) || d.Kind == IfWoken && d.Upstream == stays
		return eager && q.Profile == "added" && q.Events[d.Event].Node != nil
	},
	"uncounted-amounts": func(q *Question, d Difference) bool {
		if d.Kind != IfWoken || q.Events[d.Event].Pod == nil {
			return false
		}
		for _, h := range q.happenings(q.Events[d.Event]) {
			if h.ActionType == fwk.UpdatePodScaleDown || h.ActionType == fwk.UpdatePodScaleUp {
				was, now := h.before.(*corev1.Pod), h.after.(*corev1.Pod)
				return uncountedChange(was, now) || uncountedChange(now, was)
			}
		}
		return false
	},
}

// uncountedChange reports whether requests that come to nothing have changed.
func uncountedChange(was, now *corev1.Pod) bool {
	before, after := usage(was), usage(now)
	for name, n := range before {
		_, counted := podspec.NewResources().Column(name)
		switch m, stays := after[name]; {
		case !stays && (n.IsZero() || !counted), stays && !counted && m.Cmp(n) != 0:
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

const declaredFeatures = "NodeDeclaredFeatures"

// leftOut reports whether a node was refused for not being among PreFilter's.
func leftOut(r Refusal) bool {
	return len(r.Reasons) == 1 && strings.HasPrefix(r.Reasons[0], "node(s) didn't satisfy plugin")
}
