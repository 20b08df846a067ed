package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// usher lets every pod wait.
type usher struct{}

func (usher) Name() string { return "Usher" }
func (usher) Permit(*framework.Cycle, int32) (*fwk.Status, time.Duration) {
	return fwk.NewStatus(fwk.Wait), time.Minute
}

// spans is a Probe that notes spans.
type spans struct{ list []string }

func (*spans) Begin() (time.Duration, bool)                                             { return 0, false }
func (*spans) Point(config.Point, fwk.Code, time.Duration) (now time.Duration)          { return 0 }
func (*spans) Plugin(string, config.Point, fwk.Code, time.Duration) (now time.Duration) { return 0 }
func (s *spans) Span(at config.Point, code fwk.Code, took time.Duration) {
	s.list = append(s.list, fmt.Sprint(at, " ", code, " ", took))
}

// newHall is an engine with a node, whose pods wait for the usher.
func newHall(t *testing.T, probe runtime.Probe) *Engine {
	t.Helper()
	list := []runtime.Enabled{{Plugin: usher{}}}
	for _, name := range []string{"PrioritySort", "DefaultBinder"} {
		plugin, err := plugins.New(name, nil, plugins.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, runtime.Enabled{Plugin: plugin})
	}
	e, err := New(Config{
		Compiler: podspec.NewCompiler(), InitialBackoff: time.Second, MaxBackoff: time.Second,
		Profiles: []Profile{{Profile: runtime.AtAllPoints("hall", list), Sample: runtime.AllNodes, Probe: probe}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(clock.Now{}, NodeSeen{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{
		Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("10")}}}})
	return e
}

func hallPod(name, node string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)}}
	p.Spec.SchedulerName, p.Spec.NodeName = "hall", node
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}}
	return p
}

func TestWaitsAndBindsAreMeasured(t *testing.T) {
	f := func(want string, inputs ...Input) {
		t.Helper()
		probe := &spans{}
		e := newHall(t, probe)
		p := hallPod("a", "")
		now := clock.Now{}
		for _, in := range append([]Input{PodSeen{Pod: p}, Decide{}}, inputs...) {
			e.Step(now, in)
			now = now.Add(time.Second)
		}
		if got := strings.Join(probe.list, ", "); got != want {
			t.Errorf("spans %s, want %s", got, want)
		}
	}
	a := podspec.RefOf(hallPod("a", ""))
	allow := Allow{Pod: a, Plugin: "Usher"}
	f("Permit Success 1s, Bind Success 1s", allow, BindDone{Pod: a, Attempt: 1, Result: Bound})
	f("Permit Success 1s, Bind Error 1s", allow, BindDone{Pod: a, Attempt: 1, Result: Refused})
	f("Permit Success 1s, Bind Success 3s", allow, BindDone{Pod: a, Attempt: 1, Result: Unknown}, Tick{}, BindDone{Pod: a, Attempt: 1, Result: Bound})
	f("Permit Success 1s, Bind Success 1s", allow, PodSeen{Pod: hallPod("a", "n1")}) // before the answer
	f("Permit Unschedulable 1s", Deny{Pod: a, Plugin: "Usher"})
	f("Permit Success 1s", allow, allow)
	f("")
}

func TestCompareNamesWhatDiffers(t *testing.T) {
	e := newHall(t, nil)
	for _, p := range []*corev1.Pod{hallPod("waits", ""), hallPod("runs", "n1")} {
		e.Step(clock.Now{}, PodSeen{Pod: p})
	}
	other := hallPod("other", "")
	other.Spec.SchedulerName = "someone"
	pods := map[types.UID]*corev1.Pod{"waits": hallPod("waits", ""), "runs": hallPod("runs", "n1"), "other": other}
	if m := e.Compare(pods, map[string]struct{}{"n1": {}}); !m.Empty() {
		t.Errorf("all is known: %+v", m)
	}
	pods = map[types.UID]*corev1.Pod{"new": hallPod("new", ""), "placed": hallPod("placed", "n2")}
	want := Mismatch{
		MissedNodes: []string{"n2"}, RedundantNodes: []string{"n1"},
		MissedPods: []string{"new", "placed"}, RedundantPods: []string{"runs", "waits"},
	}
	if diff := cmp.Diff(want, e.Compare(pods, map[string]struct{}{"n2": {}})); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

func TestDumpShowsNodesAndQueue(t *testing.T) {
	e := newHall(t, nil)
	nominated := hallPod("waits", "")
	nominated.Status.NominatedNodeName = "n1"
	for _, p := range []*corev1.Pod{nominated, hallPod("runs", "n1")} {
		e.Step(clock.Now{}, PodSeen{Pod: p})
	}
	want := Dump{
		Nodes: `Node name: n1
Deleted: false
Requested Resources: cpu:1000
Allocatable Resources: cpu:2000
Scheduled Pods(number: 1):
name: runs, namespace: ns, uid: runs, nominated node: 
Nominated Pods(number: 1):
name: waits, namespace: ns, uid: waits, nominated node: n1

`,
		Summary: "activeQ:1; backoffQ:0; unschedulableEntities:0",
		Pods:    "name: waits, namespace: ns, uid: waits, nominated node: n1, in: active, attempts: 0, rejected by: []\n",
	}
	if diff := cmp.Diff(want, e.Dump()); diff != "" {
		t.Errorf("dump (-want +got):\n%s", diff)
	}
}

// Metrics count what the API server told, not what the engine itself did to a pod.
func TestEventsAreWhatTheAPIServerTold(t *testing.T) {
	e := newHall(t, nil)
	told := func(in Input) string { return strings.Join(e.Step(clock.Now{}, in).Events, " ") }
	expect := func(want string, in Input) {
		t.Helper()
		if got := told(in); got != want {
			t.Errorf("%T is the events %q, want %q", in, got, want)
		}
	}
	a, b := podspec.RefOf(hallPod("a", "")), podspec.RefOf(hallPod("b", ""))
	expect("UnscheduledPodAdd", PodSeen{Pod: hallPod("a", "")})
	expect("", Decide{})
	expect("", Deny{Pod: a, Plugin: "Usher"}) // its room is free again
	changed := func(name, node, version string, change func(*corev1.Pod)) Input {
		p := hallPod(name, node)
		p.ResourceVersion = version
		change(p)
		return PodSeen{Pod: p}
	}
	nothing := func(*corev1.Pod) {}
	label := func(p *corev1.Pod) { p.Labels = map[string]string{"x": "y"} }
	expect("UnscheduledPodUpdate", changed("a", "", "101", nothing))
	expect("UnscheduledPodUpdate UnscheduledPodUpdatePodLabel", changed("a", "", "102", label))
	expect("UnscheduledPodDelete AssignedPodAdd", changed("a", "n1", "103", label))
	expect("AssignedPodUpdate AssignedPodUpdate", changed("a", "n1", "104", label))
	expect("AssignedPodUpdate AssignedPodUpdatePodLabel", changed("a", "n1", "105", nothing))
	expect("AssignedPodDelete", PodGone{Pod: a})
	expect("UnscheduledPodAdd", PodSeen{Pod: hallPod("b", "")})
	expect("UnscheduledPodDelete", PodGone{Pod: b})
	expect("NodeDelete", NodeGone{Name: "n1"})
}
