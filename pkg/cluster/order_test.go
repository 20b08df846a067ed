package cluster

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

func TestNodesAreWalkedZoneByZoneInTurn(t *testing.T) {
	c := New(podspec.NewResources())
	set := func(name, zone string) {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
		c.SetNode(n)
	}
	expect := func(want string) {
		t.Helper()
		var names []string
		for _, row := range c.InZoneOrder() {
			names = append(names, c.Name(row))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("order is %q, want %q", got, want)
		}
	}
	expect("")
	set("a1", "a")
	set("a2", "a")
	set("a3", "a")
	set("b1", "b")
	set("c1", "c")
	set("b2", "b")
	expect("a1 b1 c1 a2 b2 a3")
	set("a1", "a") // a heartbeat
	expect("a1 b1 c1 a2 b2 a3")
	set("a1", "c") // a move is a removal and an arrival
	expect("a2 b1 c1 a3 b2 a1")
	c.RemoveNode("b1")
	c.RemoveNode("b2") // an empty zone loses its turn
	expect("a2 c1 a3 a1")
	set("b3", "b")
	expect("a2 c1 b3 a3 a1")
}

func TestOldZoneLabelsCountBeforeNewOnes(t *testing.T) {
	f := func(labels map[string]string, want string) {
		t.Helper()
		if got := strings.ReplaceAll(zoneKey(labels), ":\x00:", "/"); got != want {
			t.Errorf("zoneKey(%v) = %q, want %q", labels, got, want)
		}
	}
	f(nil, "/")
	f(map[string]string{corev1.LabelTopologyZone: "z", corev1.LabelTopologyRegion: "r"}, "r/z")
	f(map[string]string{corev1.LabelTopologyZone: "z", corev1.LabelFailureDomainBetaZone: "old"}, "/old")
}
