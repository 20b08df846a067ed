package nodedeclaredfeatures

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"
	features "k8s.io/component-helpers/nodedeclaredfeatures"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// plainFeatures takes a node that declares every feature that the pod needs of a node of
// this release.
func plainFeatures(node *corev1.Node, _ []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
	needs, err := features.DefaultFramework.InferForPodScheduling(&features.PodInfo{Spec: &pod.Spec}, version.MajorMinor(1, 37))
	if err != nil {
		panic(err)
	}
	match, err := features.DefaultFramework.MatchNode(needs, node)
	if err != nil {
		panic(err)
	}
	if !match.IsMatch {
		return fwk.UnschedulableAndUnresolvable, []string{"node(s) didn't match Pod's required features"}
	}
	return fwk.Success, nil
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	filter := func() framework.Filter { return &NodeDeclaredFeatures{} }
	sim.JudgeIn(t, 200, (*sim.Gen).Furnished, filter, plainFeatures)
	sim.JudgeIn(t, 200, sim.Kind("features"), filter, plainFeatures)
}

// Features that pods can need.
const (
	restart = "RestartAllContainersOnContainerExits"
	users   = "UserNamespacesHostNetworkSupport"
	mounts  = "VolumeBindMountOptions"
)

// declaring is a node with a list of features, sorted as kubelets do.
func declaring(list ...string) *corev1.Node {
	return object.Node("n", object.NodeFunc(func(n *corev1.Node) { n.Status.DeclaredFeatures = list }))
}

// restarts, shares and mounting need one feature each.
func restarts(p *corev1.Pod) {
	p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}
}

func shares(p *corev1.Pod) {
	own := false
	p.Spec.HostNetwork, p.Spec.HostUsers = true, &own
}

func mounting(p *corev1.Pod) {
	p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v", BindMountOptions: []string{"noexec"}}}
}

func needing(needs ...object.PodFunc) *corev1.Pod {
	p := object.Pod("p")
	for _, need := range needs {
		need(p)
	}
	return p
}

const lacking = "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features"

func TestNodeMustDeclareEveryFeature(t *testing.T) {
	f := func(pod *corev1.Pod, node *corev1.Node, want string) {
		t.Helper()
		if got := sim.Ask(&NodeDeclaredFeatures{}, node, nil, pod); got != want {
			t.Errorf("%s on %s: %s, want %s", sim.PodLine(pod), sim.NodeLine(node), got, want)
		}
	}
	f(needing(restarts), declaring(restart), "Success")
	f(needing(restarts), declaring(restart, users, mounts), "Success") // more than it needs
	f(needing(restarts), declaring(users, mounts), lacking)
	f(needing(restarts), declaring(), lacking)
	f(needing(restarts, mounting), declaring(restart), lacking) // a part of it
	f(needing(restarts, mounting), declaring(restart, mounts), "Success")
	f(needing(restarts, shares, mounting), declaring(restart, users, mounts), "Success")
	f(needing(shares), declaring(restart, mounts), lacking)
	f(needing(mounting), declaring("Another", mounts, "WhatNobodyKnows"), "Success")
	f(needing(mounting), declaring("WhatNobodyKnows"), lacking)
	f(needing(), declaring(), "Success")
}

func TestPodThatNeedsNoFeatureIsSkipped(t *testing.T) {
	f := func(pod *corev1.Pod, skips bool) {
		t.Helper()
		specs := podspec.NewCompiler()
		c := (&sim.World{Nodes: []*corev1.Node{declaring()}}).Load(specs)
		prep := (&NodeDeclaredFeatures{}).PreFilter(&framework.Cycle{View: &c.View, Pod: specs.Compile(pod)})
		if prep.Skip != skips || prep.Err != nil || prep.Reject != nil || prep.Names != nil {
			t.Errorf("%s: %+v, want it skipped: %v", sim.PodLine(pod), prep, skips)
		}
	}
	f(needing(), true)
	f(needing(func(p *corev1.Pod) { p.Spec.HostNetwork = true }), true)
	f(needing(restarts), false)
}

func TestNeedThatCannotBeToldFailsTheAttempt(t *testing.T) {
	unknown := errors.New("no such version")
	prep := (&NodeDeclaredFeatures{}).PreFilter(&framework.Cycle{Pod: &podspec.Pod{FeaturesErr: unknown}})
	if prep.Err != unknown || prep.Skip {
		t.Errorf("%+v, want the error", prep)
	}
}

func TestEqualFragmentsGetEqualAnswers(t *testing.T) {
	plugin := func() framework.Plugin { return &NodeDeclaredFeatures{} }
	sim.JudgeFragment(t, 80, (*sim.Gen).Furnished, plugin)
	sim.JudgeFragment(t, 80, sim.Kind("features"), plugin)
}

func TestFragmentTellsNeedsApart(t *testing.T) {
	specs := podspec.NewCompiler()
	fragment := func(p *corev1.Pod) string { return (&NodeDeclaredFeatures{}).Fragment(specs.Compile(p)) }
	seen := map[string]string{}
	for _, p := range []*corev1.Pod{
		needing(), needing(restarts), needing(shares), needing(mounting), needing(restarts, shares), needing(restarts, shares, mounting),
	} {
		key := fragment(p)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have one fragment", sim.PodLine(p), other)
		}
		seen[key] = sim.PodLine(p)
	}
	same := needing(restarts)
	object.CPU("1").PodFunc(same)
	same.Spec.InitContainers = same.Spec.Containers
	if fragment(same) != fragment(needing(restarts)) {
		t.Errorf("%s needs what one container does, and has another fragment", sim.PodLine(same))
	}
}
