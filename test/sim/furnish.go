package sim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// Furnished draws a World whose nodes and pods also have what the rules about labels,
// host ports, images and declared features read, odd values among it.
func (g *Gen) Furnished() *World {
	w := g.World()
	for _, n := range w.Nodes {
		g.furnishNode(n)
	}
	for _, p := range slices.Concat(w.Bound, w.Pending) {
		g.furnishPod(p, w)
	}
	return w
}

// Kind returns the Draw of the stratum of a name.
func Kind(name string) func(*Gen) *World {
	for _, s := range strata {
		if s.Name == name {
			return s.Draw
		}
	}
	panic("BUG: sim: no stratum is called " + name)
}

// FurnishTape does the same to the nodes and pods of a tape.
func (g *Gen) FurnishTape(ops []Op) {
	w, done := &World{}, map[any]bool{(*corev1.Pod)(nil): true}
	for _, o := range ops {
		if o.Node != nil {
			g.furnishNode(o.Node)
			w.Nodes = append(w.Nodes, o.Node)
		}
		if !done[o.Pod] { // one object may be on the tape more than once
			done[o.Pod] = true
			g.furnishPod(o.Pod, w)
		}
	}
}

// Values of the label "gen". Comparing operators take some of them as numbers.
var oddNumbers = []string{
	"1", "2", "2", "10", "0", "007", "500", "500m", "x", "", "9223372036854775807", "9223372036854775808",
}

func (g *Gen) furnishNode(n *corev1.Node) {
	switch {
	case g.Chance(8):
		n.Labels = nil
	case g.Chance(60):
		n.Labels["gen"] = Pick(g, oddNumbers...)
	}
	for range Pick(g, 0, 0, 1, 2, 4) {
		n.Status.Images = append(n.Status.Images, g.image())
	}
	n.Status.DeclaredFeatures = g.declared()
	if g.Chance(15) {
		n.Status.DeclaredFeatures = append(n.Status.DeclaredFeatures, "WhatNobodyKnows")
	}
}

func (g *Gen) furnishPod(p *corev1.Pod, w *World) {
	p.Spec.NodeSelector = g.selector()
	if g.Chance(45) {
		if p.Spec.Affinity == nil {
			p.Spec.Affinity = &corev1.Affinity{}
		}
		p.Spec.Affinity.NodeAffinity = g.NodeAffinity(w)
	}
	g.takePorts(p, 40)
	g.wantImages(p)
	if len(p.Spec.Containers) > 0 && g.Chance(30) {
		g.need(p)
	}
}

func (g *Gen) selector() map[string]string {
	switch {
	case g.Chance(60):
		return nil
	case g.Chance(20):
		return map[string]string{}
	case g.Chance(10):
		return map[string]string{"disk": "no label has this!"}
	}
	s := map[string]string{Pick(g, "disk", "gen", corev1.LabelTopologyZone): Pick(g, "ssd", "", "2", "z1")}
	if g.Chance(20) {
		s[corev1.LabelTopologyRegion] = Pick(g, "r1", "r2")
	}
	return s
}

// NodeAffinity draws required terms, sound ones and others, and preferred terms that
// parse.
func (g *Gen) NodeAffinity(w *World) *corev1.NodeAffinity {
	a := &corev1.NodeAffinity{}
	if g.Chance(70) {
		s := &corev1.NodeSelector{}
		for range Pick(g, 0, 1, 1, 1, 2, 3) {
			s.NodeSelectorTerms = append(s.NodeSelectorTerms, g.oddTerm(w))
		}
		a.RequiredDuringSchedulingIgnoredDuringExecution = s
	}
	for range Pick(g, 0, 0, 1, 2, 3) {
		term := corev1.PreferredSchedulingTerm{Weight: int32(Pick(g, 0, 1, 2, 5, 100)), Preference: g.oddTerm(w)}
		if _, err := nodeaffinity.NewPreferredSchedulingTerms([]corev1.PreferredSchedulingTerm{term}); err == nil {
			a.PreferredDuringSchedulingIgnoredDuringExecution = append(a.PreferredDuringSchedulingIgnoredDuringExecution, term)
		}
	}
	return a
}

// oddTerm draws a term that may compare numbers, and may be malformed.
func (g *Gen) oddTerm(w *World) corev1.NodeSelectorTerm {
	if len(w.Nodes) == 0 {
		w = &World{Nodes: []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n0"}}}}
	}
	t := g.nodeTerm(w, Pick(g, 0, 0, 20, 60))
	if g.Chance(25) {
		t.MatchExpressions = append(t.MatchExpressions, corev1.NodeSelectorRequirement{
			Key: "gen", Operator: Pick(g, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt), Values: []string{Pick(g, oddNumbers...)},
		})
	}
	if g.Chance(15) {
		t.MatchExpressions = append(t.MatchExpressions, Pick(g, oddExpressions...))
	}
	if g.Chance(15) {
		t.MatchFields = append(t.MatchFields, Pick(g, oddFields...))
	}
	return t
}

// Requirements that API objects can hold. Most of them do not parse.
var (
	oddExpressions = []corev1.NodeSelectorRequirement{
		{Key: "disk", Operator: corev1.NodeSelectorOpIn},
		{Key: "disk", Operator: corev1.NodeSelectorOpNotIn},
		{Key: "disk", Operator: corev1.NodeSelectorOpExists, Values: []string{"ssd"}},
		{Key: "disk", Operator: "Near", Values: []string{"ssd"}},
		{Key: "disk", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"no label has this!"}},
		{Key: "no key!", Operator: corev1.NodeSelectorOpDoesNotExist},
		{Key: "gen", Operator: corev1.NodeSelectorOpGt, Values: []string{"150.1"}},
		{Key: "gen", Operator: corev1.NodeSelectorOpGt, Values: []string{"-1"}}, // no label has this either
		{Key: "gen", Operator: corev1.NodeSelectorOpLt, Values: []string{"1", "2"}},
		{Key: "nowhere", Operator: corev1.NodeSelectorOpDoesNotExist},
		{Key: "nowhere", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"x"}},
	}
	oddFields = []corev1.NodeSelectorRequirement{
		{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{"n0", "n1"}},
		{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn},
		{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{""}},
		{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpNotIn, Values: []string{""}},
		{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpExists},
		{Key: "metadata.namespace", Operator: corev1.NodeSelectorOpIn, Values: []string{""}},
		{Key: "metadata.namespace", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"x"}},
		{Key: "metadata.namespace", Operator: corev1.NodeSelectorOpNotIn, Values: []string{""}},
		{Key: "spec.unschedulable", Operator: corev1.NodeSelectorOpIn, Values: []string{"true"}},
	}
)

// wantImages gives the containers of a pod their images, and sometimes the pod one as a
// volume.
func (g *Gen) wantImages(p *corev1.Pod) {
	for _, containers := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range containers {
			containers[i].Image = Pick(g, imageNames...)
		}
	}
	if g.Chance(15) {
		image := &corev1.ImageVolumeSource{Reference: Pick(g, imageNames...)}
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "i", VolumeSource: corev1.VolumeSource{Image: image}})
	}
}
