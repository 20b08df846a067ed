// Package notbuilt stands in for the in-tree plugins that this version does not
// have yet, so that none of their hard rules is ever broken silently.
//
// A Guard carries the missing plugin's name in the profile. A pod whose spec has a
// hard requirement of that plugin is refused, with a reason that says so, and stays
// pending. What the plugin would only score is left out. When a plugin is built,
// its guard goes; the package goes with the last one.
package notbuilt

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
)

// Guard refuses the pods that need a plugin which is not there.
type Guard struct {
	name  string
	needs func(*corev1.PodSpec) bool // nil when the plugin has no hard rule
}

var (
	_ framework.PreFilter = (*Guard)(nil)
	_ framework.Hinter    = (*Guard)(nil)
)

// For returns the guard of a plugin, and false when the name is not one of those
// that are missing.
func For(name string) (*Guard, bool) {
	needs, missing := rules[name]
	if !missing {
		return nil, false
	}
	return &Guard{name: name, needs: needs}, true
}

// Name returns the missing plugin's name.
func (g *Guard) Name() string { return g.name }

// PreFilter refuses the pod if it needs the plugin.
func (g *Guard) PreFilter(c *framework.Cycle) framework.Prep {
	if g.needs == nil || !g.needs(&c.Pod.API.Spec) {
		return framework.Prep{Skip: true}
	}
	return framework.Prep{Reject: framework.Reject(fwk.UnschedulableAndUnresolvable, Reason(g.name))}
}

// Reason is what a refused pod is told.
func Reason(plugin string) string {
	return fmt.Sprintf("the pod needs plugin %s, which this version does not have", plugin)
}

// Hints says that nothing helps: what a pod needs is in its spec, which does not change.
func (*Guard) Hints() []framework.Hint { return nil }
