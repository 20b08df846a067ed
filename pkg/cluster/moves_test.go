package cluster

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// crowded is a town in which many tallies count pods of app=x, and the pod that asks for
// one of them.
func crowded() (*town, *Domains) {
	w := newTown()
	for i := range 2 * w.topology.moves.few {
		w.ask(w.pod(fmt.Sprintf("app=x spread(1 zone app=x !k%d)", i)))
	}
	asks := w.pod("app=x spread(1 zone app=x)")
	return w, w.domainsOf(asks, 0)
}

func TestMovesShowAtOnceWhateverIsRead(t *testing.T) {
	read := map[string]func(*Domains) int{
		"Rows": func(d *Domains) int { return int(d.tally.Rows()[0]) },
		"Sum":  func(d *Domains) int { return int(d.Sum(d.Numbers()[0])) },
		"Sums": func(d *Domains) int { return int(d.Sums()[d.Numbers()[0]]) },
		"Pods": func(d *Domains) int { return d.Pods() - 1 },
		"Min":  func(d *Domains) int { return int(d.Min()) },
	}
	for name, f := range read {
		w, d := crowded()
		w.SetPod(withNode(w.pod("app=x"), "n2"))
		expect := func(when string, want int) {
			t.Helper()
			if got := f(d); got != want {
				t.Errorf("%s %s is %d, want %d", name, when, got, want)
			}
		}
		p := w.pod("app=x")
		expect("at first", 0)
		w.Assume(p, 0)
		if len(w.topology.moves.last) == 0 {
			t.Fatal("the move was not put off, which this test is for")
		}
		expect("with a pod", 1)
		try := w.Try()
		mark := try.Mark()
		try.Remove(p.UID)
		expect("without it, on trial", 0)
		try.Rollback(mark)
		expect("after the trial", 1)
		w.Remove(p.UID)
		expect("without it", 0)
	}
}

func TestMovesAreFew(t *testing.T) {
	w, d := crowded()
	most := w.topology.moves.most
	w.Assume(w.pod("app=x"), 0) // so that not all that is noted together comes to nothing
	p := w.pod("app=x")
	for range 2 * most {
		w.Assume(p, 1)
		w.Remove(p.UID)
		if n := len(w.topology.moves.last); n >= most || n != len(w.topology.moves.kinds) {
			t.Fatalf("%d moves are kept, of %d kinds, want less than %d", n, len(w.topology.moves.kinds), most)
		}
	}
	w.Assume(p, 1)
	if d.Pods() != 2 {
		t.Errorf("%d pods counted, want 2", d.Pods())
	}
}

func TestMovesAreCountedBeforeANamespaceChanges(t *testing.T) {
	w := newTown()
	w.topology.moves.few = 0
	w.SetNamespace("default", map[string]string{"team": "a"})
	asks := w.pod("app=y far(zone app=x nsel:team=a)")
	blockers := func() int {
		return w.Domains(w.Tally(&asks.Affinity.Blockers[0]), corev1.LabelTopologyZone, nil).Pods()
	}
	blockers()
	w.SetPod(withNode(w.pod("app=x"), "n1"))
	w.SetNamespace("default", map[string]string{"team": "b"})
	if n := blockers(); n != 0 {
		t.Errorf("%d pods of a namespace that is not selected", n)
	}
	w.SetPod(withNode(w.pod("app=x"), "n2"))
	w.SetNamespace("default", map[string]string{"team": "a"})
	if n := blockers(); n != 2 {
		t.Errorf("%d pods of a namespace that is selected again, want 2", n)
	}
}

func TestMovesOutliveKindsAndTallies(t *testing.T) {
	w, _ := crowded()
	p := withNode(w.pod("app=x"), "n1")
	w.SetPod(p)
	w.topology.catchUp()
	w.Remove(p.UID) // what is noted is this alone
	w.pass(keptFor + 2*sweepEvery)
	w.expect(t, "after a long time", "kinds 0 tallies 0 domains 0 areas 0 terms 0")
	if len(w.topology.moves.last) == 0 {
		t.Fatal("no move is left, which this test is for")
	}
	d := w.domainsOf(w.pod("app=x spread(1 zone app=x)"), 0) // of a tally with the number of one that went
	for range 2 {
		if d.Pods() != 0 || d.tally.Rows()[0] != 0 {
			t.Errorf("%d pods in all domains, %d on n1, want none", d.Pods(), d.tally.Rows()[0])
		}
		w.topology.catchUp()
	}
}

func TestMovesAreCountedWhereTheyWereMade(t *testing.T) {
	asks := "app=x spread(1 zone app=x taints=Honor)"
	f := func(change func(*town), want string) {
		t.Helper()
		w := newTown()
		w.topology.moves.few = 0
		p := w.pod(asks)
		c := &p.Spread.Hard[0]
		untainted := func(*podspec.Where) func(*corev1.Node) bool {
			return func(n *corev1.Node) bool { return len(n.Spec.Taints) == 0 }
		}
		domains := func() *Domains {
			return w.Domains(w.Tally(&c.Pods), c.TopologyKey, w.Area(&c.Where, untainted))
		}
		domains()
		w.SetPod(withNode(w.pod("app=x"), "n1"))
		if len(w.topology.moves.last) == 0 {
			t.Fatal("the move was not put off, which this test is for")
		}
		change(w)
		got, zones := "", w.Label(corev1.LabelTopologyZone)
		for _, zone := range []string{"z1", "z2", "z3"} {
			got += fmt.Sprintf("%s:%d ", zone, domains().Sum(zones.Number(zone)))
		}
		if got += fmt.Sprint(domains().Pods()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	f(func(w *town) {}, "z1:1 z2:0 z3:0 1")
	f(func(w *town) { w.SetNode(object.NodeOf("n1 zone=z3")) }, "z1:0 z2:0 z3:1 1")
	f(func(w *town) { w.SetNode(object.NodeOf("n1")) }, "z1:0 z2:0 z3:0 0")
	f(func(w *town) { w.SetNode(object.NodeOf("n1 zone=z1 taint(k)")) }, "z1:0 z2:0 z3:0 0")
	f(func(w *town) { w.RemoveNode("n1"); w.SetNode(object.NodeOf("n3 zone=z3")) }, "z1:0 z2:0 z3:0 0")
	f(func(w *town) { w.RemoveNode("n1"); w.SetNode(object.NodeOf("n1 zone=z3")) }, "z1:0 z2:0 z3:1 1")
}

func TestFewTalliesCountAtOnce(t *testing.T) {
	w := newTown()
	for i := range w.topology.moves.few {
		w.ask(w.pod(fmt.Sprintf("app=x spread(1 zone app=x !k%d)", i)))
	}
	w.Assume(w.pod("app=x"), 0)
	if n := len(w.topology.moves.last); n != 0 {
		t.Errorf("%d moves are noted, want none", n)
	}
	w.ask(w.pod("app=x spread(1 zone app=x)"))
	w.Assume(w.pod("app=x"), 0)
	if n := len(w.topology.moves.last); n != 1 {
		t.Errorf("%d moves are noted, want the one that one more counts", n)
	}
}

func TestMovesAllocateNothing(t *testing.T) {
	for _, few := range []int{0, 100} {
		w, d := crowded()
		w.topology.moves.few = few
		w.Assume(w.pod("app=x"), 1) // a kind without pods is one that waits to be dropped
		p := w.pod("app=x")
		move := func() {
			w.Assume(p, 0)
			d.Sums()
			w.Remove(p.UID)
		}
		for range w.topology.moves.most {
			move() // buffers get their size
		}
		if n := testing.AllocsPerRun(200, move); n != 0 {
			t.Errorf("%v allocations a pod where more than %d tallies note it, want none", n, few)
		}
	}
}
