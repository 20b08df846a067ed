package notbuilt

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// Judge: the cases below, one pod that needs the missing plugin and one that does
// not. The rule goes with the guard.

// guard asks the guard of a plugin about a pod, with others on a node.
func guard(t *testing.T, plugin string, pod *corev1.Pod, others ...*corev1.Pod) string {
	t.Helper()
	g, missing := For(plugin)
	if !missing {
		t.Fatalf("there is no guard for %s", plugin)
	}
	w, specs := sim.World{Nodes: []*corev1.Node{object.Node("n")}}, podspec.NewCompiler()
	for i, p := range others {
		p.UID, p.Spec.NodeName = "u"+p.UID, "n"
		p.Name = "o" + string(rune('0'+i))
		w.Bound = append(w.Bound, p)
	}
	c := w.Load(specs)
	prep := g.PreFilter(&framework.Cycle{View: &c.View, Pod: specs.Compile(pod)})
	switch {
	case prep.Skip:
		return "skip"
	case prep.Reject != nil:
		return prep.Reject.Code.String() + ": " + strings.Join(prep.Reject.Reasons, ", ")
	}
	return "go on"
}

// expectGuard checks both sides of a rule.
func expectGuard(t *testing.T, plugin string, needs, not *corev1.Pod) {
	t.Helper()
	refused := "UnschedulableAndUnresolvable: the pod needs plugin " + plugin + ", which this version does not have"
	if got := guard(t, plugin, needs); got != refused {
		t.Errorf("%s: a pod that needs it: %s, want %s", plugin, got, refused)
	}
	if got := guard(t, plugin, not); got != "skip" {
		t.Errorf("%s: a pod that does not need it: %s, want skip", plugin, got)
	}
}

func spec(change func(s *corev1.PodSpec)) *corev1.Pod {
	return object.Pod("p", object.PodFunc(func(p *corev1.Pod) { change(&p.Spec) }))
}

func TestVolumePluginsAreNeededForTheirVolumes(t *testing.T) {
	volume := func(v corev1.VolumeSource) *corev1.Pod {
		return spec(func(s *corev1.PodSpec) { s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: v}} })
	}
	claim := volume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}})
	ephemeral := volume(corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}})
	disk := volume(corev1.VolumeSource{GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{}})
	cinder := volume(corev1.VolumeSource{Cinder: &corev1.CinderVolumeSource{}})
	iscsi := volume(corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{}})
	settings := volume(corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}})
	empty := volume(corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})

	expectGuard(t, "VolumeBinding", claim, settings)
	expectGuard(t, "VolumeBinding", ephemeral, disk)
	expectGuard(t, "VolumeZone", claim, empty)
	expectGuard(t, "VolumeRestrictions", claim, settings)
	expectGuard(t, "VolumeRestrictions", disk, empty)
	expectGuard(t, "VolumeRestrictions", iscsi, cinder)
	expectGuard(t, "NodeVolumeLimits", ephemeral, settings)
	expectGuard(t, "NodeVolumeLimits", cinder, iscsi)
}

func TestDevicesAreNeededForClaims(t *testing.T) {
	claims := spec(func(s *corev1.PodSpec) { s.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} })
	expectGuard(t, "DynamicResources", claims, object.Pod("p"))
}

func TestPluginsThatOnlyScoreAreNeverNeeded(t *testing.T) {
	for _, plugin := range []string{"DefaultPreemption"} {
		if got := guard(t, plugin, object.Pod("p", object.CPU("1"))); got != "skip" {
			t.Errorf("%s: %s, want skip", plugin, got)
		}
	}
	if _, missing := For("NodeResourcesFit"); missing {
		t.Error("NodeResourcesFit is guarded, want no guard for a plugin that is there")
	}
}
