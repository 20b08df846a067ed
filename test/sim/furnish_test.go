package sim

import (
	"math"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// What tests of the rules about labels, ports, images and features rely on to come up.
func TestFurnishedWorldsHaveOddThings(t *testing.T) {
	note := sightings(t)
	for seed := range Seeds(300) {
		w := New(seed).Furnished()
		for _, n := range w.Nodes {
			gen, labelled := n.Labels["gen"]
			note("node without labels", n.Labels == nil)
			note("empty label value", labelled && gen == "")
			note("label value that is no number", gen == "500m")
			note("label value beyond int64", gen == "9223372036854775808")
			note("node with an image of two names", slices.ContainsFunc(n.Status.Images, func(i corev1.ContainerImage) bool { return len(i.Names) > 1 }))
			note("image of less than nothing", slices.ContainsFunc(n.Status.Images, func(i corev1.ContainerImage) bool { return i.SizeBytes < 0 }))
			note("image beyond all measure", slices.ContainsFunc(n.Status.Images, func(i corev1.ContainerImage) bool { return i.SizeBytes == math.MaxInt64 }))
			note("unknown feature", slices.Contains(n.Status.DeclaredFeatures, "WhatNobodyKnows"))
			note("features out of order", !slices.IsSorted(n.Status.DeclaredFeatures))
		}
		for _, p := range slices.Concat(w.Bound, w.Pending) {
			noteWishes(t, note, p)
		}
	}
}

func noteWishes(t *testing.T, note func(string, bool), p *corev1.Pod) {
	note("node selector", len(p.Spec.NodeSelector) > 0)
	note("empty node selector", p.Spec.NodeSelector != nil && len(p.Spec.NodeSelector) == 0)
	note("image volume", slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.Image != nil }))
	features, err := podspec.RequiredFeatures(p)
	if err != nil {
		t.Fatal(err)
	}
	note("required feature", !features.IsEmpty())
	note("ephemeral container", len(p.Spec.EphemeralContainers) > 0)
	for _, port := range podspec.HostPorts(p) {
		note("host port of "+string(port.Protocol)+" on "+port.IP, true)
	}
	if p.Spec.Affinity == nil || p.Spec.Affinity.NodeAffinity == nil {
		return
	}
	a := p.Spec.Affinity.NodeAffinity
	if _, err := nodeaffinity.NewPreferredSchedulingTerms(a.PreferredDuringSchedulingIgnoredDuringExecution); err != nil {
		t.Fatalf("preferred terms do not parse: %v", err)
	}
	note("preferred term", len(a.PreferredDuringSchedulingIgnoredDuringExecution) > 0)
	required := a.RequiredDuringSchedulingIgnoredDuringExecution
	note("only preferred terms", required == nil)
	if required == nil {
		return
	}
	_, err = nodeaffinity.NewNodeSelector(required)
	note("required terms that do not parse", err != nil)
	note("no required terms", len(required.NodeSelectorTerms) == 0)
	for _, term := range required.NodeSelectorTerms {
		note("empty term", len(term.MatchExpressions)+len(term.MatchFields) == 0)
		for _, r := range term.MatchExpressions {
			note("operator "+string(r.Operator), true)
		}
		for _, r := range term.MatchFields {
			note("field operator "+string(r.Operator), true)
		}
	}
}

func TestTapesAreFurnishedOnceForEachObject(t *testing.T) {
	ports := 0
	for seed := range Seeds(100) {
		tape := New(seed).Tape(60)
		bare := map[*corev1.Pod]int{}
		for _, op := range tape {
			if op.Pod != nil {
				bare[op.Pod] = len(op.Pod.Spec.InitContainers)
			}
		}
		New(seed).FurnishTape(tape)
		for p, inits := range bare {
			ports += len(podspec.HostPorts(p))
			if len(p.Spec.InitContainers) > inits+1 || len(p.Spec.Volumes) > 1 {
				t.Fatalf("seed %d: furnished twice: %s", seed, PodLine(p))
			}
		}
	}
	if ports == 0 && *only == 0 {
		t.Error("no pod of a tape takes a host port")
	}
}
