// Package nodedeclaredfeatures keeps a pod that uses a feature off nodes that do not
// declare it.
package nodedeclaredfeatures

import (
	corev1 "k8s.io/api/core/v1"
	features "k8s.io/component-helpers/nodedeclaredfeatures"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

const (
	// Name is the plugin's name in a profile.
	Name = "NodeDeclaredFeatures"
	// Reason is why a node that lacks a feature was cleared.
	Reason = "node(s) didn't match Pod's required features"
)

// NodeDeclaredFeatures is the plugin.
type NodeDeclaredFeatures struct {
	lacks []bool // by number of a list of declared features: the pod needs more; 0 is no node
}

var (
	_ framework.PreFilter = (*NodeDeclaredFeatures)(nil)
	_ framework.Filter    = (*NodeDeclaredFeatures)(nil)
	_ framework.Keeper    = (*NodeDeclaredFeatures)(nil)
	_ framework.Hinter    = (*NodeDeclaredFeatures)(nil)
)

// Name returns the plugin's name.
func (*NodeDeclaredFeatures) Name() string { return Name }

// PreFilter holds what the pod needs against each list that nodes declare.
func (f *NodeDeclaredFeatures) PreFilter(c *framework.Cycle) framework.Prep {
	if c.Pod.FeaturesErr != nil {
		return framework.Prep{Err: c.Pod.FeaturesErr}
	}
	if c.Pod.Features.IsEmpty() { // nearly all pods
		return framework.Prep{Skip: true}
	}
	f.lacks = append(f.lacks[:0], true)
	for _, list := range c.View.FeatureLists() {
		has, err := declares(list, c.Pod.Features)
		if err != nil {
			return framework.Prep{Err: err}
		}
		f.lacks = append(f.lacks, !has)
	}
	return framework.Prep{}
}

func declares(list []string, required features.FeatureSet) (bool, error) {
	node := &corev1.Node{Status: corev1.NodeStatus{DeclaredFeatures: list}}
	match, err := features.DefaultFramework.MatchNode(required, node)
	if err != nil {
		return false, err
	}
	return match.IsMatch, nil
}

// Narrow clears the rows whose list lacks something.
func (f *NodeDeclaredFeatures) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	why.ClearWhere(fit, c.View.FeatureSet(), f.lacks, fwk.UnschedulableAndUnresolvable, Reason)
	return nil
}

// Fragment names the features.
func (*NodeDeclaredFeatures) Fragment(p *podspec.Pod) string { return p.Features.String() }

// Scope is the row.
func (*NodeDeclaredFeatures) Scope() framework.Scope { return framework.PerRow }

// Hints says that a new node may help, any change of what a node declares, and a pod that
// needs something else than before.
func (*NodeDeclaredFeatures) Hints() []framework.Hint {
	return []framework.Hint{
		{On: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeDeclaredFeature}},
		{On: fwk.ClusterEvent{Resource: fwk.TargetPod, ActionType: fwk.Update}, Ask: needsChanged},
	}
}

func needsChanged(_ *cluster.View, _ *podspec.Pod, before, after any) (fwk.QueueingHint, error) {
	was, now, err := framework.Objects[*corev1.Pod](before, after)
	if err != nil {
		return fwk.Queue, err
	}
	old, err := podspec.RequiredFeatures(was)
	if err != nil {
		return fwk.Queue, err
	}
	needs, err := podspec.RequiredFeatures(now)
	if err != nil {
		return fwk.Queue, err
	}
	if old.Equal(needs) {
		return fwk.QueueSkip, nil
	}
	return fwk.Queue, nil
}
