package sim

import (
	"fmt"
	"math"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Strata of the other rules that look at one node: labels, host ports, images and
// declared features.

// affinityWorld is about a pod that selects nodes by labels, or by name.
func (g *Gen) affinityWorld() *World {
	w := g.extremes(g.town())
	g.labelled(w)
	p := g.small(w)
	a := &corev1.NodeAffinity{}
	if g.Chance(20) {
		p.Spec.NodeSelector = map[string]string{}
		for range g.Between(0, 2) {
			p.Spec.NodeSelector[Pick(g, "disk", "gen", corev1.LabelTopologyZone)] = Pick(g, "ssd", "2", "z1", "z2", "")
		}
	}
	if g.Chance(60) {
		a.RequiredDuringSchedulingIgnoredDuringExecution = g.nodeTerms(w)
	}
	for range Pick(g, 0, 0, 1, 2, 3) {
		term := corev1.PreferredSchedulingTerm{Weight: int32(Pick(g, 0, 1, 5, 29, 57, 58, 100)), Preference: g.nodeTerm(w, 10)}
		if g.Chance(5) {
			term.Preference = g.oddTerm(w) // may not parse
		}
		a.PreferredDuringSchedulingIgnoredDuringExecution = append(a.PreferredDuringSchedulingIgnoredDuringExecution, term)
	}
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: a}
	if g.Chance(10) {
		p.Status.NominatedNodeName = Pick(g, nodeNames(w)...)
	}
	w.Pending = append(w.Pending, p)
	return w
}

// labelled gives each node of a world labels that the terms below ask for.
func (g *Gen) labelled(w *World) {
	for _, n := range w.Nodes {
		n.Labels = g.nodeLabels(n.Name)
		if g.Chance(60) {
			n.Labels["gen"] = Pick(g, "1", "2", "10", "-3", "x", "")
		}
	}
}

// nodeTerms draws required terms: any, none, or all of them by name.
func (g *Gen) nodeTerms(w *World) *corev1.NodeSelector {
	s := &corev1.NodeSelector{}
	byName := Pick(g, 0, 0, 15, 100, 100) // percent
	for range Pick(g, 0, 1, 1, 2, 2, 2, 3, 3, 3) {
		s.NodeSelectorTerms = append(s.NodeSelectorTerms, g.nodeTerm(w, byName))
	}
	return s
}

func (g *Gen) nodeTerm(w *World, byName int) corev1.NodeSelectorTerm {
	t := corev1.NodeSelectorTerm{}
	for range Pick(g, 0, 1, 1, 1, 2) {
		t.MatchExpressions = append(t.MatchExpressions, g.nodeRequirement())
	}
	for g.Chance(byName) && len(t.MatchFields) < 3 {
		t.MatchFields = append(t.MatchFields, g.nameRequirement(w))
		byName = 50
	}
	return t
}

func (g *Gen) nodeRequirement() corev1.NodeSelectorRequirement {
	r := corev1.NodeSelectorRequirement{
		Key: Pick(g, "disk", "gen", "gen", corev1.LabelTopologyZone, corev1.LabelHostname),
		Operator: Pick(g, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpNotIn,
			corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt),
	}
	value := func() string { return Pick(g, "ssd", "hdd", "", "z1", "z2", "1", "2", "10", "n0", "n1") }
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		for range g.Between(1, 3) {
			r.Values = append(r.Values, value())
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		r.Values = []string{strconv.Itoa(g.Between(-4, 11))}
	}
	return r
}

func (g *Gen) nameRequirement(w *World) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{
		Key:      metav1.ObjectNameField,
		Operator: Pick(g, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn),
		Values:   []string{Pick(g, append(nodeNames(w), "lost")...)},
	}
}

// portWorld is about ports of the host that only one pod can have.
func (g *Gen) portWorld() *World {
	w := g.town()
	for _, p := range w.Bound {
		g.takePorts(p, 60)
	}
	p := g.small(w)
	g.takePorts(p, 100)
	w.Pending = append(w.Pending, p)
	for _, n := range w.Nodes {
		if g.Chance(15) {
			other := g.small(w)
			g.takePorts(other, 100)
			other.Status.NominatedNodeName = n.Name
			w.Pending = append(w.Pending, other)
		}
	}
	return w
}

// takePorts gives a pod ports of the host, on a container, a sidecar or an ordinary
// init container, which has none in truth.
func (g *Gen) takePorts(p *corev1.Pod, percent int) {
	if !g.Chance(percent) {
		return
	}
	if g.Chance(20) {
		Pick(g, sidecar, initContainer)(p, nil)
	}
	for range Pick(g, 1, 1, 2, 3) {
		containers := p.Spec.Containers
		if n := len(p.Spec.InitContainers); n > 0 && g.Chance(40) {
			containers = p.Spec.InitContainers
		}
		if len(containers) == 0 {
			return
		}
		c := &containers[g.IntN(len(containers))]
		c.Ports = append(c.Ports, corev1.ContainerPort{
			ContainerPort: 80,
			HostPort:      Pick(g, int32(0), 80, 80, 80, 443),
			Protocol:      Pick(g, "", corev1.ProtocolTCP, corev1.ProtocolTCP, corev1.ProtocolUDP),
			HostIP:        Pick(g, "", "", "0.0.0.0", "127.0.0.1", "127.0.0.1", "10.0.0.1", "::1"),
		})
	}
}

var imageNames = []string{"app:1", "app", "app:latest", "db", "h:5000/x", "h:5000/x:latest", "y@sha256:0123", "none"}

// imageWorld is about images that some nodes have already.
func (g *Gen) imageWorld() *World {
	w := g.town()
	for _, n := range w.Nodes {
		for range Pick(g, 0, 1, 2, 2, 4) {
			n.Status.Images = append(n.Status.Images, g.image())
		}
	}
	p := g.small(w)
	for range Pick(g, 0, 0, 1) {
		initContainer(p, nil)
	}
	for _, containers := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range containers {
			containers[i].Image = Pick(g, imageNames...)
		}
	}
	if g.Chance(20) {
		p.Spec.Volumes = []corev1.Volume{{Name: "i", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: Pick(g, imageNames...)}}}}
	}
	w.Pending = append(w.Pending, p)
	return g.extremes(w)
}

func (g *Gen) image() corev1.ContainerImage {
	image := corev1.ContainerImage{
		Names:     []string{Pick(g, imageNames...)},
		SizeBytes: int64(g.Between(0, 3000)) << 20,
	}
	if g.Chance(30) {
		image.Names = append(image.Names, Pick(g, imageNames...))
	}
	if g.Chance(10) {
		image.SizeBytes = Pick(g, g.Int64N(1<<40), g.Int64N(1<<40), -2, -1<<30, math.MaxInt64)
	}
	return image
}

// Features that pods can need, in the order in which nodes must declare them, and one
// that they cannot.
var nodeFeatures = []string{
	"ExtendWebSocketsToKubelet", "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport", "VolumeBindMountOptions",
}

// featureWorld is about what nodes declare that they can do.
func (g *Gen) featureWorld() *World {
	w := g.town()
	for _, n := range w.Nodes {
		n.Status.DeclaredFeatures = g.declared()
	}
	p := g.small(w)
	if g.Chance(20) {
		Pick(g, sidecar, initContainer)(p, nil)
	}
	for range Pick(g, 1, 1, 2) {
		g.need(p)
	}
	if g.Chance(16) {
		g.gate(p)
	}
	w.Pending = append(w.Pending, p)
	return w
}

func (g *Gen) declared() []string {
	var list []string
	for _, f := range nodeFeatures {
		if g.Chance(60) {
			list = append(list, f)
		}
	}
	if g.Chance(4) { // the API wants them in order
		g.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	return list
}

// need lets a pod need one more feature, mostly for its first container.
func (g *Gen) need(p *corev1.Pod) {
	c := &p.Spec.Containers[0]
	switch initial := p.Spec.InitContainers; {
	case len(initial) > 0 && g.Chance(50):
		c = &initial[0]
	case g.Chance(10):
		p.Spec.EphemeralContainers = append(p.Spec.EphemeralContainers, corev1.EphemeralContainer{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: fmt.Sprintf("e%d", len(p.Spec.EphemeralContainers))},
		})
		last := &p.Spec.EphemeralContainers[len(p.Spec.EphemeralContainers)-1]
		c = (*corev1.Container)(&last.EphemeralContainerCommon)
	}
	switch g.IntN(3) {
	case 0:
		c.RestartPolicyRules = []corev1.ContainerRestartRule{{Action: Pick(g,
			corev1.ContainerRestartRuleActionRestartAllContainers, corev1.ContainerRestartRuleActionRestartAllContainers, corev1.ContainerRestartRuleActionRestart)}}
	case 1:
		p.Spec.HostNetwork = true
		p.Spec.HostUsers = Pick(g, nil, ptr(false), ptr(false), ptr(true))
	case 2:
		c.VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v", BindMountOptions: []string{"noexec"}}}
	}
}
