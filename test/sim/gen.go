package sim

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Gen draws random objects. Equal seeds draw equal objects in equal order.
type Gen struct {
	*rand.Rand
	pods int // named so far
}

// New returns a generator for a seed.
func New(seed uint64) *Gen {
	return &Gen{Rand: rand.New(rand.NewPCG(seed, 0xbe27))}
}

// Chance is true in so many cases of a hundred.
func (g *Gen) Chance(percent int) bool { return g.IntN(100) < percent }

// Between draws a number from lo to hi, both included.
func (g *Gen) Between(lo, hi int) int { return lo + g.IntN(hi-lo+1) }

// Pick draws one of the values; one that is listed twice comes twice as often.
func Pick[T any](g *Gen, from ...T) T { return from[g.IntN(len(from))] }

func ptr[T any](v T) *T { return &v }

// World draws a cluster.
func (g *Gen) World() *World {
	w := &World{}
	for i := range g.nodeCount() {
		w.Nodes = append(w.Nodes, g.Node(nodeName(i)))
	}
	for _, n := range w.Nodes {
		left := offered(n)
		for range Pick(g, 0, 0, 1, 1, 2, 3, 5) {
			p := g.Bound(n.Name, left)
			w.Bound = append(w.Bound, p)
			left.subtract(p)
		}
	}
	for range Pick(g, 0, 0, 0, 1, 2) { // pods of a node that is not there
		w.Bound = append(w.Bound, g.Bound("lost", nil))
	}
	for range g.Between(1, 5) {
		w.Pending = append(w.Pending, g.Pending(w))
	}
	return w
}

// nodeCount draws how many nodes there are: a few, sometimes none, rarely so many
// that the rows go over the end of a set's word.
func (g *Gen) nodeCount() int {
	if g.Chance(2) {
		return g.Between(62, 66)
	}
	if g.Chance(5) {
		return g.Between(11, 30)
	}
	return Pick(g, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10)
}

func nodeName(i int) string { return fmt.Sprintf("n%d", i) }

// meta names the next pod.
func (g *Gen) meta() metav1.ObjectMeta {
	g.pods++
	return metav1.ObjectMeta{
		Namespace: Pick(g, "default", "default", "other"),
		Name:      fmt.Sprintf("p%d", g.pods),
		UID:       uid(g.pods),
		Labels:    g.podLabels(),
	}
}

func (g *Gen) podLabels() map[string]string {
	if g.Chance(40) {
		return nil
	}
	return map[string]string{"app": Pick(g, "web", "db", "")}
}

// nodeLabels draws a zone, a region and a hostname, or less.
func (g *Gen) nodeLabels(name string) map[string]string {
	labels := map[string]string{}
	if g.Chance(90) {
		labels[corev1.LabelHostname] = name
	}
	if g.Chance(70) {
		labels[corev1.LabelTopologyZone] = Pick(g, "z1", "z2", "z3")
	}
	if g.Chance(70) {
		labels[corev1.LabelTopologyRegion] = Pick(g, "r1", "r2")
	}
	if g.Chance(30) {
		labels["disk"] = Pick(g, "ssd", "hdd", "")
	}
	return labels
}
