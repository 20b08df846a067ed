package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/test/controlplane/child"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// condition is PodScheduled=False.
func condition(reason, message string) object.PodFunc {
	return func(pod *corev1.Pod) {
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: reason, Message: message,
		}}
	}
}

func TestDecisionIsReadFromThePod(t *testing.T) {
	f := func(want string, options ...object.PodOption) {
		t.Helper()
		if got := decisionOf(object.Pod("p", options...)).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f("is pending")
	f("→ n1", object.OnNode("n1"))
	f("→ n1", object.OnNode("n1"), condition("Unschedulable", "of before"))
	f("stays pending: 0/1 nodes are available: 1 Insufficient cpu.",
		condition("Unschedulable", "0/1 nodes are available: 1 Insufficient cpu."))
	f("stays pending, SchedulerError: no answer", condition("SchedulerError", "no answer"))
	f("waits for its gate a/b, c/d", object.Gate("a/b"), object.Gate("c/d"), condition("SchedulingGated", "blocked"))
	// The gates are open, nobody has decided since.
	f("is pending", condition("SchedulingGated", "blocked"))
}

func TestLineHoldsOneDecision(t *testing.T) {
	f := func(elapsed time.Duration, width int, name, text, want string) {
		t.Helper()
		if got := line(elapsed, width, name, text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f(12*time.Millisecond, 6, "web-1", "→ n1", "    0.012 s  web-1   → n1\n")
	f(83*time.Second, 2, "web-1", "→ n1", "   83.000 s  web-1  → n1\n")
	f(0, 1, "a", "why:\n  no\tnode", "    0.000 s  a  why: no node\n")
}

func TestBoardShowsEachDecisionOnce(t *testing.T) {
	var out strings.Builder
	b := newBoard(&out)
	at := func(ms int) time.Time { return b.zero.Add(time.Duration(ms) * time.Millisecond) }
	pod := func(uid types.UID, options ...object.PodOption) *corev1.Pod {
		p := object.Pod("a", options...)
		p.UID = uid
		return p
	}
	full := condition("Unschedulable", "full")
	b.see(at(1), pod("1"))
	b.see(at(2), pod("1", full))
	b.see(at(3), pod("1", full, object.Label("changed", "yes")))
	b.see(at(4), pod("1", condition("Unschedulable", "fuller")))
	b.see(at(5), pod("1", object.OnNode("n1")))
	b.forget(at(6), pod("1", object.OnNode("n1")))
	b.see(at(7), pod("2", object.OnNode("n1"), object.Namespace("other")))
	want := `    0.002 s  a  stays pending: full
    0.004 s  a  stays pending: fuller
    0.005 s  a  → n1
    0.006 s  a  was deleted
    0.007 s  other/a  → n1
`
	if diff := cmp.Diff(out.String(), want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
}

func TestAwaitTellsWhatIsMissing(t *testing.T) {
	b := newBoard(&strings.Builder{})
	pods := []sample{{object.Pod("a"), bound}, {object.Pod("b"), refused}, {object.Pod("c"), bound}}
	b.see(b.zero, object.Pod("a", object.OnNode("n1")))
	b.see(b.zero, object.Pod("b", object.OnNode("n1")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	want := []string{"b → n1, should be refused", "c is pending, should be bound"}
	if diff := cmp.Diff(b.await(ctx, pods), want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	b.see(b.zero, object.Pod("b", condition("Unschedulable", "full")))
	go b.see(b.zero, object.Pod("c", object.OnNode("n1")))
	if missing := b.await(t.Context(), pods); missing != nil {
		t.Errorf("got %q, want nothing missing", missing)
	}
}

func TestTableAddsUpRequests(t *testing.T) {
	nodes := []corev1.Node{
		*object.Node("n1", object.Zone("a"), object.CPU("4"), object.Memory("8Gi")),
		*object.Node("n2", object.CPU("500m"), object.Memory("512Mi"), object.Cordoned(),
			object.Taint("k", "v", corev1.TaintEffectNoSchedule)),
	}
	pods := []corev1.Pod{
		*object.Pod("a", object.CPU("500m"), object.Memory("1Gi"), object.OnNode("n1")),
		*object.Pod("b", object.CPU("2"), object.Memory("512Mi"), object.OnNode("n1")),
		*object.Pod("c", object.CPU("9"), condition("Unschedulable", "no room")),
		*object.Pod("d", object.Gate("g"), condition("SchedulingGated", "blocked")),
	}
	want := `NODE   ZONE   PODS   CPU     MEMORY      NOTE
n1     a      2      2.5/4   1.5Gi/8Gi
n2            0      0/0.5   0Gi/0.5Gi   cordoned, taint k=v:NoSchedule

2 of 4 pods have a node.
c fits nowhere: no room
d waits for its gate g
`
	if diff := cmp.Diff(table(nodes, pods)+"\n"+waiting(pods), want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
}

func TestSampleHasOneGateAndOnePodTooMany(t *testing.T) {
	count := func(pods []sample) map[outcome]int {
		counts := map[outcome]int{}
		for _, s := range pods {
			counts[s.want]++
		}
		return counts
	}
	pods := samplePods()
	if diff := cmp.Diff(count(pods), map[outcome]int{bound: len(pods) - 1, refused: 1}); diff != "" {
		t.Errorf("in the end: got - want +:\n%s", diff)
	}
	if diff := cmp.Diff(count(whileGated(pods)), map[outcome]int{bound: len(pods) - 2, gated: 1, refused: 1}); diff != "" {
		t.Errorf("before the gate is open: got - want +:\n%s", diff)
	}
}

func TestTwoRunsHaveARoomEach(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := openRoom("_out"); err == nil {
		t.Error("got a room outside of a checkout, want an error")
	}
	if err := os.MkdirAll("hack", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("hack", "tools.sh"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := func(want string) *room {
		t.Helper()
		r, err := openRoom("_out")
		if err != nil {
			t.Fatal(err)
		}
		if r.dir != filepath.FromSlash(want) {
			t.Errorf("got room %s, want %s", r.dir, want)
		}
		return r
	}
	end := func(r *room) {
		t.Helper()
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}
	first, second := f("_out/run"), f("_out/run-2")
	end(first)
	end(f("_out/run"))
	end(second)
}

// startShell starts a script in the scheduler's place.
func startShell(t *testing.T, script string) (*child.Process, <-chan error) {
	t.Helper()
	lost := make(chan error, 1)
	p := &child.Process{Log: filepath.Join(t.TempDir(), "log"), Lost: func(err error) { lost <- err }}
	if err := p.Start("/bin/sh", "-c", script); err != nil {
		t.Fatal(err)
	}
	return p, lost
}

func TestSchedulerIsAskedToEnd(t *testing.T) {
	f := func(onTerm, wantError string) {
		t.Helper()
		ready := filepath.Join(t.TempDir(), "ready")
		if err := unix.Mkfifo(ready, 0o600); err != nil {
			t.Fatal(err)
		}
		p, lost := startShell(t, "trap '"+onTerm+"' TERM; echo > "+ready+"; while :; do sleep 0.01; done")
		if _, err := os.ReadFile(ready); err != nil { // comes back when the script has written to it
			t.Fatal(err)
		}
		if err := stopScheduler(p); (err == nil) != (wantError == "") || err != nil && !strings.Contains(err.Error(), wantError) {
			t.Errorf("%s: got error %v, want %q", onTerm, err, wantError)
		}
		if !p.HasEnded() {
			t.Errorf("%s: still there after stop", onTerm)
		}
		if len(lost) > 0 {
			t.Errorf("%s: told as a death: %v", onTerm, <-lost)
		}
	}
	f("exit 0", "")
	f("echo stuck; exit 4", "exit status 4; the last lines of")
}

func TestDeathOfTheSchedulerIsToldWithItsLog(t *testing.T) {
	p, lost := startShell(t, "echo bad flag >&2; exit 3")
	err := <-lost
	var told *child.LostError
	if !errors.As(err, &told) || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "bad flag") {
		t.Errorf("got %v, want the exit status and the log", err)
	}
	p.Wait()
	if err := stopScheduler(p); err != nil {
		t.Errorf("got %v when stopped after its death, want nothing more", err)
	}
}
