package sim

import (
	"fmt"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func uid(i int) types.UID { return types.UID(fmt.Sprintf("uid-%d", i)) }

// Pending draws a pod that waits, cut to fit one of the world's nodes more or less.
func (g *Gen) Pending(w *World) *corev1.Pod {
	var left room
	node := "lost"
	if len(w.Nodes) > 0 {
		n := Pick(g, w.Nodes...)
		node, left = n.Name, offered(n)
		for _, p := range w.Bound {
			if p.Spec.NodeName == n.Name {
				left.subtract(p)
			}
		}
	}
	p := g.pod(left)
	if g.Chance(10) {
		p.Status.NominatedNodeName = Pick(g, node, node, "lost")
	}
	return p
}

// Bound draws a pod on a node, which may be in the middle of a resize.
func (g *Gen) Bound(node string, left room) *corev1.Pod {
	p := g.pod(left)
	p.Spec.NodeName = node
	if g.Chance(30) {
		g.resize(p)
	}
	return p
}

// pod draws what pods that wait and pods on nodes have in common.
func (g *Gen) pod(left room) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: g.meta()}
	p.Spec.Tolerations = g.tolerations()
	p.Spec.Priority = Pick(g, nil, nil, ptr(int32(0)), ptr(int32(100)), ptr(int32(-10)), ptr(int32(math.MaxInt32)))
	if g.Chance(10) {
		p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	}
	if g.Chance(10) {
		p.Spec.Affinity = g.antiAffinity()
	}
	g.shape(p, left)
	return p
}

// antiAffinity keeps pods with a label away from the pod's own host or zone.
func (g *Gen) antiAffinity() *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey:   Pick(g, corev1.LabelHostname, corev1.LabelTopologyZone),
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": Pick(g, "web", "db")}},
		}},
	}}
}
