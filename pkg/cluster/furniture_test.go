package cluster_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func declares(list ...string) object.NodeFunc {
	return func(n *corev1.Node) { n.Status.DeclaredFeatures = list }
}

func TestReusedRowHasNothingOfTheNodeBefore(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1", object.Label("disk", "ssd"), hasImage(7, "app:1"), declares("A")))
	web := podspec.HostPort{IP: podspec.AnyIP, Protocol: corev1.ProtocolTCP, Port: 80}
	s.SetPod(s.pod("web", object.HostPort(80, corev1.ProtocolTCP), object.OnNode("n1")))
	expect := func(disk, features string, image, port bool) {
		t.Helper()
		got := fmt.Sprint(labelsOf(&s.View, 0)["disk"], s.Image("app:1") != nil, isTaken(&s.View, 0, web))
		list, _ := featuresOf(&s.View, 0)
		if want := fmt.Sprint(disk, image, port); got != want || fmt.Sprint(list) != features {
			t.Errorf("%s and features %v, want %s and %s", got, list, want, features)
		}
	}
	expect("ssd", "[A]", true, true)
	s.RemoveNode("n1")
	if s.Label("disk") != nil || s.FeatureSet()[0] != 0 || s.Image("app:1") != nil {
		t.Error("something is left of a node that has gone")
	}
	s.SetNode(object.Node("n2"))
	expect("", "[]", false, false)
	s.SetNode(object.Node("n2", object.Label("disk", "hdd"), declares("B")))
	expect("hdd", "[B]", false, false)
	s.RemoveNode("n2")
	s.SetNode(object.Node("n1")) // its pod was kept
	expect("", "[]", false, true)
}

func TestLabelNumbersOfValuesThatAreGoneAreReused(t *testing.T) {
	s := newStage(t)
	set := func(name, zone string) { s.SetNode(object.Node(name, object.Zone(zone))) }
	number := func(zone string) int32 { return s.Label(corev1.LabelTopologyZone).Number(zone) }
	set("n1", "a")
	set("n2", "b")
	set("n3", "b")
	a, b := number("a"), number("b")
	if a == b || a == cluster.Absent || b == cluster.Absent || number("c") != cluster.Absent {
		t.Errorf("numbers %d and %d, and %d for a value that no node has", a, b, number("c"))
	}
	set("n2", "a")
	if number("b") != b {
		t.Error("a value that a node still has got another number")
	}
	set("n1", "c")
	set("n2", "c")
	if number("a") != cluster.Absent || number("c") == b {
		t.Errorf("numbers of a, b, c: %d, %d, %d", number("a"), number("b"), number("c"))
	}
	set("n1", "d")
	if top := s.Label(corev1.LabelTopologyZone).Top(); top > 4 {
		t.Errorf("numbers go up to %d, want those of values that are gone used again", top)
	}
	zone := func(row int32) string { return labelsOf(&s.View, row)[corev1.LabelTopologyZone] }
	if got := zone(0) + " " + zone(1); got != "d c" {
		t.Errorf("zones %s, want d c", got)
	}
}

func TestNodesWithEqualFeaturesShareAList(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1", declares("A", "B")))
	s.SetNode(object.Node("n2", declares("A", "B")))
	s.SetNode(object.Node("n3"))
	s.SetNode(object.Node("n4", declares("A")))
	if n := s.FeatureSet(); n[0] != n[1] || n[0] == n[2] || n[0] == n[3] || n[2] == n[3] || len(s.FeatureLists()) != 3 {
		t.Errorf("numbers %v of %v, want the first two shared", n, s.FeatureLists())
	}
	for range 10 {
		s.SetNode(object.Node("n4", declares("C")))
		s.SetNode(object.Node("n4", declares("D")))
	}
	if n := len(s.FeatureLists()); n > 4 {
		t.Errorf("%d lists, want numbers of lists that are gone used again", n)
	}
}
