package cluster_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/invariants"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// stage is a cluster with a short way to say things.
type stage struct {
	*cluster.Cluster
	t     *testing.T
	specs *podspec.Compiler
}

func newStage(t *testing.T) *stage {
	specs := podspec.NewCompiler()
	return &stage{Cluster: cluster.New(specs.Resources), t: t, specs: specs}
}

func (s *stage) pod(name string, options ...object.PodOption) *podspec.Pod {
	p := object.Pod(name, options...)
	p.UID = types.UID(name)
	return s.specs.Compile(p)
}

// expect draws each node as "name cpu/pods pod pod", in the order of rows.
func (s *stage) expect(want ...string) {
	s.t.Helper()
	var got []string
	for row := range s.Live().All() {
		text := fmt.Sprintf("%s %d/%d", s.Name(row), cell(s.Requested(podspec.CPU), row), s.PodCount()[row])
		for p := range s.PodsOn(row) {
			text += " " + p.Name
		}
		got = append(got, text)
	}
	if a, b := strings.Join(got, "; "), strings.Join(want, "; "); a != b {
		s.t.Errorf("got  %s\nwant %s", a, b)
	}
}

func (s *stage) expectPlace(name, node string, row int32, assumed bool) {
	s.t.Helper()
	got, ok := s.Lookup(types.UID(name))
	if !ok || got.Node != node || got.Row != row || got.Assumed != assumed {
		s.t.Errorf("%s is at %s, row %d, assumed %v (known: %v), want %s, row %d, assumed %v",
			name, got.Node, got.Row, got.Assumed, ok, node, row, assumed)
	}
}

func TestSumBeyondInt64SaturatesAndComesBack(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	memory := func(want int64) {
		t.Helper()
		if got := [2]int64{s.Requested(podspec.Memory)[0], s.Scored(podspec.Memory)[0]}; got != [2]int64{want, want} {
			t.Errorf("memory taken and scored: %d, want %d", got, want)
		}
	}
	s.SetPod(s.pod("small", object.Memory("5"), object.OnNode("n1")))
	s.SetPod(s.pod("a", object.Memory("9223372036854775807"), object.OnNode("n1")))
	memory(math.MaxInt64)
	s.SetPod(s.pod("b", object.Memory("9223372036854775807"), object.OnNode("n1")))
	memory(math.MaxInt64)
	s.Remove("a")
	memory(math.MaxInt64)
	s.Remove("b")
	memory(5)
	s.Remove("small")
	memory(0)
}

// Anybody may ask for resources that he made up, and say on which node.
func TestMadeUpResourcesCostColumnsWhileTheyAreTaken(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1", object.CPU("1")))
	s.SetPod(s.pod("plain", object.OnNode("n1")))
	madeUp := func(i int) object.Both {
		return object.Resource(corev1.ResourceName(fmt.Sprint("example.com/r", i)), "1")
	}
	var last *podspec.Pod
	for i := range 1000 {
		last = s.pod(fmt.Sprint("p", i), madeUp(i), object.OnNode("n1"))
	}
	columns := func() (n int) {
		for col := range int32(s.Resources().Len()) {
			if s.Allocatable(col) != nil {
				n++
			}
		}
		return n
	}
	without := columns()
	if s.SetPod(last); columns() != without+1 {
		t.Errorf("%d columns, want %d and the one that a pod takes", columns(), without)
	}
	s.SetNode(object.Node("n1", object.CPU("1"), madeUp(7)))
	if columns() != without+2 {
		t.Errorf("%d columns, want %d, the one that a pod takes and the one that a node offers", columns(), without)
	}
	s.Remove(last.UID)
	s.RemoveNode("n1")
	if columns() != without {
		t.Errorf("%d columns when all are gone, want %d", columns(), without)
	}
}

func TestNodeThatComesBackFindsItsPods(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	s.SetPod(s.pod("a", object.CPU("1m"), object.OnNode("n1")))
	s.Assume(s.pod("b", object.CPU("2m")), 0)
	s.expect("n1 3/2 a b")
	s.RemoveNode("n1")
	s.expect()
	s.expectPlace("a", "n1", -1, false)
	s.expectPlace("b", "n1", -1, true)

	s.SetNode(object.Node("n2")) // gets the row at once
	s.SetPod(s.pod("a", object.CPU("4m"), object.OnNode("n1")))
	s.expect("n2 0/0")
	s.SetNode(object.Node("n1"))
	s.expect("n2 0/0", "n1 6/2 b a") // a was seen last
	s.expectPlace("a", "n1", 1, false)
	s.RemoveNode("n3") // nobody knows it
	s.expect("n2 0/0", "n1 6/2 b a")
}

func TestPodOfAnUnknownNodeCountsNowhereUntilItComes(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	s.SetPod(s.pod("a", object.CPU("1m"), object.OnNode("n2")))
	s.AssumeOn(s.pod("b", object.CPU("2m")), "n2")
	s.AssumeOn(s.pod("c", object.CPU("4m")), "n2")
	s.expect("n1 0/0")
	s.expectPlace("b", "n2", -1, true)
	if s.Try().Remove("a") {
		t.Error("Try removes a pod that is on no row")
	}
	s.Remove("c")
	s.SetNode(object.Node("n2"))
	s.expect("n1 0/0", "n2 3/2 a b")
}

func TestAssumedPodSeenElsewhereMoves(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	s.SetNode(object.Node("n2"))
	s.Assume(s.pod("a", object.CPU("1m")), 0)
	s.expect("n1 1/1 a", "n2 0/0")
	s.expectPlace("a", "n1", 0, true)
	s.SetPod(s.pod("a", object.CPU("1m"), object.OnNode("n2")))
	s.expect("n1 0/0", "n2 1/1 a")
	s.expectPlace("a", "n2", 1, false)
	s.SetPod(s.pod("a", object.CPU("3m"), object.OnNode("n2"))) // grew in place
	s.expect("n1 0/0", "n2 3/1 a")
	s.SetPod(s.pod("a", object.CPU("3m"), object.OnNode("n9")))
	s.expect("n1 0/0", "n2 0/0")
}

func TestOnlyAssumedPodsAreForgotten(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	s.Assume(s.pod("a", object.CPU("1m")), 0)
	s.Assume(s.pod("b", object.CPU("2m")), 0)
	s.SetPod(s.pod("b", object.CPU("2m"), object.OnNode("n1")))
	f := func(what string, got, want bool) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	f("forget an assumed pod", s.Forget("a"), true)
	f("forget it again", s.Forget("a"), false)
	f("forget a bound pod", s.Forget("b"), false)
	s.expect("n1 2/1 b")
	f("remove a bound pod", s.Remove("b"), true)
	f("remove it again", s.Remove("b"), false)
	s.expect("n1 0/0")
}

func TestRowIsReusedAtOnceWithANewRevision(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1", object.CPU("1"), object.Cordoned(), object.Taint("k", "v", corev1.TaintEffectNoSchedule)))
	s.SetNode(object.Node("n2"))
	first := s.Revision(0)
	s.RemoveNode("n1")
	gone := s.Revision(0)
	s.SetNode(object.Node("n3"))
	row, _ := s.Row("n3")
	if again := s.Revision(row); row != 0 || first >= gone || gone >= again {
		t.Errorf("n3 is on row %d; revisions %d, %d, %d, want row 0 and rising ones", row, first, gone, again)
	}
	if s.Unschedulable().Has(0) || s.TaintSet()[0] != 0 || s.Allocatable(podspec.CPU)[0] != 0 {
		t.Error("n3 has what n1 left behind")
	}
}

func TestChangeWhileATryIsOpenIsABug(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("this build checks no invariants")
	}
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	s.Try().Add(s.pod("a"), 0)
	for name, change := range map[string]func(){
		"SetNode":    func() { s.SetNode(object.Node("n1")) },
		"RemoveNode": func() { s.RemoveNode("n1") },
		"SetPod":     func() { s.SetPod(s.pod("b", object.OnNode("n1"))) },
		"Assume":     func() { s.Assume(s.pod("b"), 0) },
		"Remove":     func() { s.Remove("b") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			change()
		}()
	}
}
