package engine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

var seeds = flag.Int("seeds", 300, "worlds to live through")

func newEngine(t testing.TB) *Engine {
	t.Helper()
	var enabled []runtime.Enabled
	for _, entry := range config.DefaultPlugins() {
		p, err := plugins.New(entry.Name, nil, plugins.Options{})
		if err != nil {
			t.Fatal(err)
		}
		enabled = append(enabled, runtime.Enabled{Plugin: p, Weight: entry.Weight})
	}
	e, err := New(Config{
		Profiles: []Profile{{Profile: runtime.AtAllPoints(corev1.DefaultSchedulerName, enabled), Sample: runtime.AllNodes}}, Compiler: podspec.NewCompiler(), Seed: 42,
		InitialBackoff: time.Second, MaxBackoff: 10 * time.Second, UnschedulableTimeout: 5 * time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// live lives through a world for some turns, and returns the tape and what was said.
func live(t *testing.T, seed uint64, turns int) (tape, said bytes.Buffer) {
	t.Helper()
	w, e := newWorld(seed), newEngine(t)
	var before *Stats // that was published, and how it read
	var beforeText string
	steps := 0
	step := func(in Input) {
		if err := WriteMoment(&tape, Moment{Now: w.now, In: in}); err != nil {
			t.Fatal(err)
		}
		out := e.Step(w.now, in)
		w.calls = append(w.calls, out.Effects...)
		for _, effect := range out.Effects {
			if b, ok := effect.(Bind); ok && !b.Look {
				if _, known := e.View().Row(b.Node); !known {
					t.Fatalf("seed %d: %s is bound to node %s, which is gone", seed, b.Pod, b.Node)
				}
			}
		}
		if err := WriteOutput(&said, out); err != nil {
			t.Fatal(err)
		}
		if node := w.overcommitted(); node != "" {
			t.Fatalf("seed %d: node %s is overcommitted after %d bytes of tape", seed, node, tape.Len())
		}
		if steps++; steps%32 != 0 { // somebody looks now and then
			return
		}
		if text := fmt.Sprintf("%+v", before); before != nil && text != beforeText {
			t.Fatalf("seed %d: what was published changes from %s to %s", seed, beforeText, text)
		}
		before = e.Stats()
		beforeText = fmt.Sprintf("%+v", before)
		if diff := cmp.Diff(recount(e), before); diff != "" {
			t.Fatalf("seed %d: what is published (-recount +published):\n%s", seed, diff)
		}
	}
	for range turns {
		step(w.turn())
	}
	rest(t, w, e, step)
	return tape, said
}

// recount is Stats from the records of pods, as far as they tell.
func recount(e *Engine) *Stats {
	s := *e.Stats()
	s.Pending = map[queue.Place]int{queue.Active: 0, queue.Backoff: 0, queue.Unschedulable: 0, queue.Gated: 0}
	s.Binding, s.Waiting = 0, map[queue.Waiting]int{}
	for waiting := range e.queue.Waiting() { // those that have kept nobody for long stay known
		s.Waiting[waiting] = 0
	}
	for uid, p := range e.pods {
		if p.state.isBeingBound() {
			s.Binding++
		}
		it := e.queue.Get(uid)
		if it == nil || it.Place == queue.Away {
			continue
		}
		s.Pending[it.Place]++
		for _, plugin := range it.Rejectors {
			s.Waiting[queue.Waiting{Plugin: plugin, Profile: it.Pod.Scheduler}]++
		}
	}
	s.Nodes = e.View().Live().Count()
	return &s
}

// rest lets everything arrive and checks that nothing is left over.
func rest(t *testing.T, w *world, e *Engine, step func(Input)) {
	t.Helper()
	for range 2000 {
		switch {
		case len(w.late) > 0:
			in := w.late[0]
			w.late = w.late[1:]
			step(in)
		case len(w.calls) > 0:
			step(w.call())
		case e.Ready():
			step(Decide{})
		default:
			at, due := e.Next()
			if !due || at > w.now.Mono+11*time.Second { // only the long timeout is left
				if _, assumed := e.View().Counts(); assumed != 0 || e.queue.Len(queue.Away) != 0 {
					t.Fatalf("at rest %d pods are assumed and %d in flight", assumed, e.queue.Len(queue.Away))
				}
				expectNobodyForgotten(t, e)
				for uid, n := range w.told {
					if n > 1 {
						t.Fatalf("pod %s got %d Scheduled events", uid, n)
					}
				}
				return
			}
			w.now.Mono = max(at, w.now.Mono)
			step(Tick{})
		}
	}
	t.Fatal("the world does not come to rest")
}

// expectNobodyForgotten checks that who waits for an event has no node that takes it.
func expectNobodyForgotten(t *testing.T, e *Engine) {
	t.Helper()
	for uid, p := range e.pods {
		if it := e.queue.Get(uid); it == nil || it.Place != queue.Unschedulable {
			continue
		}
		if n, err := p.chain.Narrow(p.spec); n > 0 || err != nil {
			t.Fatalf("%s waits while %d nodes take it (%v)", p.spec.Ref, n, err)
		}
	}
}

// replay plays a tape into a fresh engine and returns what it says.
func replay(t *testing.T, tape []byte) string {
	t.Helper()
	e := newEngine(t)
	var said bytes.Buffer
	err := ReadTape(bytes.NewReader(tape), func(m Moment) {
		if err := WriteOutput(&said, e.Step(m.Now, m.In)); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return said.String()
}

func TestWorldIsNeverOvercommittedAndComesToRest(t *testing.T) {
	for seed := range *seeds {
		live(t, uint64(seed), 400)
	}
}

func TestSameTapeSaysTheSame(t *testing.T) {
	tape, said := live(t, 1, 3000)
	if !strings.Contains(said.String(), `"verdict":"placed"`) || !strings.Contains(said.String(), `"verdict":"unschedulable"`) {
		t.Fatal("the tape decides too little to show anything")
	}
	for range 2 {
		if got := replay(t, tape.Bytes()); got != said.String() {
			t.Fatalf("a replay in this process said something else")
		}
	}
	// And in another process, where maps are laid out differently.
	file := filepath.Join(t.TempDir(), "tape")
	if err := os.WriteFile(file, tape.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestReplayForAnotherProcess$")
	cmd.Env = append(os.Environ(), "BERTH_TAPE="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(file + ".said")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != said.String() {
		t.Fatal("a replay in another process said something else")
	}
}

// TestReplayForAnotherProcess is the other process of TestSameTapeSaysTheSame.
func TestReplayForAnotherProcess(t *testing.T) {
	file := os.Getenv("BERTH_TAPE")
	if file == "" {
		return // it is not one
	}
	tape, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".said", []byte(replay(t, tape)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBadTapeIsRefusedByRecord(t *testing.T) {
	f := func(tape, want string) {
		t.Helper()
		err := ReadTape(strings.NewReader(tape), func(Moment) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadTape(%q) = %v, want an error with %q", tape, err, want)
		}
	}
	f(`{"kind":"Tick","in":{}}{"kind":"Nap"}`, `record 2: unknown input "Nap"`)
	f(`{"kind":`, "record 1")
	f(`{"kind":"NodeGone","in":{"name":7}}`, "record 1")
}
