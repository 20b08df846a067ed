package sim

import (
	"math"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

func TestEqualSeedsDrawEqualWorlds(t *testing.T) {
	texts := map[string]uint64{}
	for seed := range Seeds(50) {
		text := New(seed).World().String()
		if again := New(seed).World().String(); again != text {
			t.Fatalf("seed %d draws\n%s\nand then\n%s", seed, text, again)
		}
		texts[text] = seed
	}
	if *only == 0 && len(texts) < 45 { // a few are alike, as they are empty
		t.Errorf("50 seeds draw %d worlds", len(texts))
	}
}

func TestLoadKeepsEveryNodeAndPod(t *testing.T) {
	for seed := range Seeds(200) {
		w := New(seed).World()
		c := w.Load(podspec.NewCompiler())
		if pods, assumed := c.Counts(); c.Nodes() != len(w.Nodes) || pods != len(w.Bound) || assumed != 0 {
			t.Fatalf("seed %d: %d nodes and %d pods, %d of them assumed, want %d, %d and none",
				seed, c.Nodes(), pods, assumed, len(w.Nodes), len(w.Bound))
		}
		for _, n := range w.Nodes {
			row, _ := c.Row(n.Name)
			on := 0
			for p := range c.PodsOn(row) {
				if on++; !slices.Contains(w.On(n.Name), p.API) {
					t.Fatalf("seed %d: %s is on %s", seed, PodLine(p.API), n.Name)
				}
			}
			if on != len(w.On(n.Name)) {
				t.Fatalf("seed %d: %d pods on %s, want %d", seed, on, n.Name, len(w.On(n.Name)))
			}
		}
		if len(w.Nodes) > 0 && c.Rows() == len(w.Nodes) {
			t.Fatalf("seed %d: no row is free", seed)
		}
	}
}

// What random tests rely on to come up is counted here, so that nobody narrows the
// lists unawares.
func TestWorldsAreHostile(t *testing.T) {
	note := sightings(t)
	for seed := range Seeds(400) {
		w := New(seed).World()
		note("no node", len(w.Nodes) == 0)
		note("more rows than a word has bits", len(w.Nodes) > 64)
		for _, n := range w.Nodes {
			noteNode(note, n)
		}
		for _, p := range slices.Concat(w.Bound, w.Pending) {
			notePod(note, p)
		}
		note("pod on a node that is not there", len(w.On("lost")) > 0)
	}
}

func noteNode(note func(string, bool), n *corev1.Node) {
	cpu, offersCPU := n.Status.Allocatable[corev1.ResourceCPU]
	_, limits := n.Status.Allocatable[corev1.ResourcePods]
	note("node without CPU", !offersCPU)
	note("node with CPU of 0", offersCPU && cpu.IsZero())
	note("node with the largest CPU", units(corev1.ResourceCPU, cpu) == math.MaxInt64)
	note("node without a pod limit", !limits)
	note("cordoned node", n.Spec.Unschedulable)
	note("node without a zone", n.Labels[corev1.LabelTopologyZone] == "")
	for _, effect := range effects {
		note("taint "+string(effect), slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Effect == effect }))
	}
}

func notePod(note func(string, bool), p *corev1.Pod) {
	note("pod without containers", len(p.Spec.Containers) == 0)
	note("deleting pod", p.DeletionTimestamp != nil)
	note("nominated pod", p.Status.NominatedNodeName != "")
	note("pod without a priority", p.Spec.Priority == nil)
	note("pod that repels", p.Spec.Affinity != nil)
	note("overhead", p.Spec.Overhead != nil)
	note("resources of the pod", p.Spec.Resources != nil)
	note("allocated resources of the pod", p.Status.AllocatedResources != nil)
	for _, c := range p.Spec.InitContainers {
		note("sidecar", c.RestartPolicy != nil)
		note("ordinary init container", c.RestartPolicy == nil)
	}
	for _, c := range p.Spec.Containers {
		q, asks := c.Resources.Requests[corev1.ResourceMemory]
		note("memory not requested", !asks)
		note("memory of 0 requested", asks && q.IsZero())
		note("memory beyond int64 requested", q.Cmp(amount(corev1.ResourceMemory, math.MaxInt64)) > 0)
	}
	for _, s := range p.Status.ContainerStatuses {
		note("allocated resources", s.AllocatedResources != nil)
		note("actual resources", s.Resources != nil && s.Resources.Requests != nil)
	}
	for _, c := range p.Status.Conditions {
		note("resize "+c.Reason, true)
	}
	for _, tol := range p.Spec.Tolerations {
		note("toleration of everything", tol.Key == "" && tol.Operator == corev1.TolerationOpExists && tol.Effect == "")
		note("toleration "+string(tol.Operator)+" for "+string(tol.Effect), true)
	}
}

func TestSplitPartsAddUp(t *testing.T) {
	for seed := range Seeds(500) {
		g := New(seed)
		list := g.asks()
		a, b := g.split(list)
		for name, want := range list {
			sum := a[name].DeepCopy()
			sum.Add(b[name])
			if sum.Cmp(want) != 0 {
				t.Fatalf("seed %d: %s of %s is split into %s", seed, name, listText(list), listText(a)+" "+listText(b))
			}
		}
	}
}
