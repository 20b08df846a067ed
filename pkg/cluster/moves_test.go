package cluster

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
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
	p := w.pod("app=x")
	for range 2 * most {
		w.Assume(p, 1)
		w.Remove(p.UID)
		if n := len(w.topology.moves.last); n >= most || n != len(w.topology.moves.kinds) {
			t.Fatalf("%d moves are kept, of %d kinds, want less than %d", n, len(w.topology.moves.kinds), most)
		}
	}
	w.Assume(p, 1)
	if d.Pods() != 1 {
		t.Errorf("%d pods counted, want 1", d.Pods())
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
	w.Remove(p.UID)
	w.pass(keptFor + 2*sweepEvery)
	w.expect(t, "after a long time", "kinds 0 tallies 0 domains 0 areas 0 terms 0")
	if len(w.topology.moves.last) == 0 {
		t.Fatal("no move is left, which this test is for")
	}
	w.topology.catchUp()
	p = w.pod("app=x spread(1 zone app=x)")
	if d := w.domainsOf(p, 0); d.Pods() != 0 {
		t.Errorf("%d pods, want none", d.Pods())
	}
}
