package nodeaffinity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestAddedAffinityHoldsForEveryPod(t *testing.T) {
	const enforced = "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity"
	node := object.Node("n", object.Label("disk", "ssd"))
	f := func(added *corev1.NodeAffinity, pod *corev1.Pod, want string) {
		t.Helper()
		if got := sim.Ask(with(added), node, nil, pod); got != want {
			t.Errorf("%s: %s, want %s", sim.PodLine(pod), got, want)
		}
	}
	ssd, hdd := required(where(in("disk", "ssd"))), required(where(in("disk", "hdd")))
	f(ssd, object.Pod("p"), "Success")
	f(hdd, object.Pod("p"), enforced)
	f(ssd, affine(ssd), "Success")
	f(ssd, affine(hdd), noMatch)
	f(hdd, affine(ssd), enforced)
	f(hdd, affine(hdd), enforced) // that alone
	f(required(), object.Pod("p"), enforced)
	f(required(named("n")), object.Pod("p"), "Success")
	f(required(named("m")), object.Pod("p"), enforced)
	f(&corev1.NodeAffinity{}, object.Pod("p"), "Success")
	f(preferred(1, in("disk", "hdd")), object.Pod("p"), "Success")
}

// Only the pod's own terms leave nodes: those of the profile may name nodes as well, and
// are a matter of the filter.
func TestAddedAffinityByNameLeavesAllNodes(t *testing.T) {
	if got := prepared(with(required(named("a"))), object.Pod("p")); got != "all" {
		t.Errorf("an added name: %s, want all", got)
	}
	if got := prepared(with(required(named("a"))), affine(required(named("b")))); got != "names b" {
		t.Errorf("an added name and the pod's: %s, want the pod's", got)
	}
}

func TestAddedAffinityMustParse(t *testing.T) {
	f := func(added *corev1.NodeAffinity, want string) {
		t.Helper()
		plugin, err := New(&configv1.NodeAffinityArgs{AddedAffinity: added})
		if err == nil || err.Error() != want || plugin != nil {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	bad := expr("x", corev1.NodeSelectorOpExists, "1")
	const where0 = "matchExpressions[0].values: Invalid value: [\"1\"]: values set must be empty for exists and does not exist"
	f(required(where(in("x", "1")), where(bad)),
		"parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: nodeSelectorTerms[1]."+where0)
	f(preferred(1, bad), "parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: [0]."+where0)

	for _, args := range []*configv1.NodeAffinityArgs{nil, {}, {AddedAffinity: preferred(0, bad)}} {
		if plugin, err := New(args); err != nil || plugin == nil {
			t.Errorf("%v: error %v", args, err)
		}
	}
}

// The plugin lives on while values come and go, and their numbers are used again.
func TestEachAttemptSeesLabelsAsTheyAre(t *testing.T) {
	ssd := required(where(in("disk", "ssd")))
	specs := podspec.NewCompiler()
	f := func(plugin *NodeAffinity, pod *corev1.Pod) {
		t.Helper()
		c := cluster.New(specs.Resources)
		c.SetNode(object.Node("other", object.Label("disk", "tape"))) // there is always some disk
		cycle := &framework.Cycle{View: &c.View, Try: c.Try(), Pod: specs.Compile(pod)}
		for _, disk := range []string{"ssd", "hdd", "ssd", "nvme", "ssd"} {
			c.SetNode(object.Node("n", object.Label("disk", disk)))
			var fit bitset.Set
			fit.CopyFrom(c.Live())
			row, _ := c.Row("n")
			plugin.PreFilter(cycle)
			if err := plugin.Narrow(cycle, &fit, nil); err != nil || fit.Has(row) != (disk == "ssd") {
				t.Errorf("%s on a node with disk %s: takes it: %v, %v", sim.PodLine(pod), disk, fit.Has(row), err)
			}
		}
	}
	f(with(ssd), object.Pod("p"))
	f(with(nil), affine(ssd))
	f(with(nil), object.Pod("p", object.NodeSelector("disk", "ssd")))
}
