package cluster

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// backers is what makes pods belong together when they do not say so themselves: the
// services that select them, and the controllers that made them. Default spreading goes
// by it.
type backers struct {
	services    map[string]map[string]map[string]string // by namespace, then name: selectors
	controllers map[podspec.Controller]*metav1.LabelSelector

	found map[string]map[backed]*podspec.Selected // by namespace: what was looked up already
}

// backed is what the answer for a pod depends on, beside the backers themselves.
type backed struct {
	kind string
	by   podspec.Controller
}

// mostFound is how many answers are kept for a namespace.
const mostFound = 4096

func newBackers() *backers {
	return &backers{
		services:    map[string]map[string]map[string]string{},
		controllers: map[podspec.Controller]*metav1.LabelSelector{},
		found:       map[string]map[backed]*podspec.Selected{},
	}
}

// SetService records which pods a service selects.
func (c *Cluster) SetService(namespace, name string, selector map[string]string) {
	b := c.backers
	if was, known := b.services[namespace][name]; known && maps.Equal(was, selector) { // most updates
		return
	}
	if b.services[namespace] == nil {
		b.services[namespace] = map[string]map[string]string{}
	}
	b.services[namespace][name] = selector
	delete(b.found, namespace)
}

// RemoveService forgets a service.
func (c *Cluster) RemoveService(namespace, name string) {
	b := c.backers
	if delete(b.services[namespace], name); len(b.services[namespace]) == 0 {
		delete(b.services, namespace)
	}
	delete(b.found, namespace)
}

// SetController records which pods a controller takes for its own.
func (c *Cluster) SetController(by podspec.Controller, selector *metav1.LabelSelector) {
	if was, known := c.backers.controllers[by]; known && equality.Semantic.DeepEqual(was, selector) { // most updates
		return
	}
	c.backers.controllers[by] = selector
	delete(c.backers.found, by.Namespace)
}

// RemoveController forgets a controller.
func (c *Cluster) RemoveController(by podspec.Controller) {
	delete(c.backers.controllers, by)
	delete(c.backers.found, by.Namespace)
}

// Service returns which pods a service selects, if it is known.
func (v *View) Service(namespace, name string) (map[string]string, bool) {
	selector, known := v.backers.services[namespace][name]
	return selector, known
}

// Controller returns which pods a controller takes for its own, if it is known.
func (v *View) Controller(by podspec.Controller) (*metav1.LabelSelector, bool) {
	selector, known := v.backers.controllers[by]
	return selector, known
}

// Siblings returns the pods that belong together with p by its services and its
// controller: those that all of them select. It is nil when none of them does.
func (v *View) Siblings(p *podspec.Pod) *podspec.Selected {
	b := v.backers
	if len(b.services[p.Namespace]) == 0 && p.Controller == (podspec.Controller{}) { // nothing to look up
		return nil
	}
	found, known := b.found[p.Namespace][backed{p.Kind, p.Controller}]
	if !known {
		found = b.lookUp(p)
		if b.found[p.Namespace] == nil || len(b.found[p.Namespace]) >= mostFound {
			b.found[p.Namespace] = map[backed]*podspec.Selected{}
		}
		b.found[p.Namespace][backed{p.Kind, p.Controller}] = found
	}
	return found
}

func (b *backers) lookUp(p *podspec.Pod) *podspec.Selected {
	set := labels.Set{}
	for _, selector := range b.services[p.Namespace] {
		if len(selector) > 0 && labels.SelectorFromValidatedSet(selector).Matches(labels.Set(p.API.Labels)) {
			set = labels.Merge(set, selector)
		}
	}
	var requirements labels.Requirements
	if own, known := b.controllers[p.Controller]; known {
		if p.Controller.Kind == podspec.ReplicationController {
			set = labels.Merge(set, own.MatchLabels)
		} else if s, err := metav1.LabelSelectorAsSelector(own); err == nil { // the API takes no other
			requirements, _ = s.Requirements()
		}
	}
	selector := labels.SelectorFromValidatedSet(set).Add(slices.Clone(requirements)...)
	if selector.Empty() {
		return nil
	}
	selected := podspec.Select(p, selector)
	return &selected
}
