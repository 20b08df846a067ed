package cluster_test

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/test/sim"
)

var tapes = flag.Int("tapes", 2000, "random tapes to play")

// run plays tapes, as many at a time as there are processors, and calls check after each
// operation. A failure comes with what was played. What holds then, at every point of
// every tape:
//
//   - the columns are what a recount of the objects comes to, in numbers without an end;
//     so nothing is counted below zero, of ports, images, labels, taints and features too,
//     and pods that are there before their node, or outlive it, are found
//   - who keeps what he derived from rows, and repairs it by the log, has what he would
//     have got from the rows as they are
//   - a Try that is rolled back, and a pod that was assumed and is forgotten, leave no trace
//   - the objects that were given are as they were
func run(t *testing.T, n, length int, start func(*sim.Player) func(sim.Op) error) {
	t.Helper()
	workers := uint64(runtime.GOMAXPROCS(0))
	for worker := range workers {
		t.Run(fmt.Sprint("worker", worker), func(t *testing.T) {
			t.Parallel()
			play(t, n, length, start, func(seed uint64) bool { return seed%workers == worker })
		})
	}
}

func play(t *testing.T, n, length int, start func(*sim.Player) func(sim.Op) error, mine func(seed uint64) bool) {
	t.Helper()
	sim.Each(t, n, func(seed uint64) error {
		if !mine(seed) {
			return nil
		}
		player := sim.NewPlayer()
		check := start(player)
		tape := sim.New(seed).Tape(length)
		sim.New(seed).FurnishTape(tape)
		for i, op := range tape {
			player.Play(op)
			if err := check(op); err != nil {
				return fmt.Errorf("%w\nafter\n%s\n%s", err, lines(tape[:i+1]), dump(&player.Cluster.View))
			}
		}
		return nil
	})
}

func lines(ops []sim.Op) string {
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintln(&b, op)
	}
	return b.String()
}

func TestColumnsEqualARecount(t *testing.T) {
	run(t, *tapes, 25, func(player *sim.Player) func(sim.Op) error {
		m := newModel(player.Spec)
		return func(op sim.Op) error {
			m.play(op)
			return m.compare(&player.Cluster.View)
		}
	})
}

func TestRollbackLeavesTheSameBytes(t *testing.T) {
	run(t, *tapes/4, 40, func(player *sim.Player) func(sim.Op) error {
		var marks []string
		return func(op sim.Op) error {
			switch op.Verb {
			case sim.TryMark:
				marks = append(marks, dump(&player.Cluster.View))
			case sim.TryRollback:
				want := marks[op.Level]
				marks = marks[:op.Level]
				if got := dump(&player.Cluster.View); got != want {
					return fmt.Errorf("rolled back to\n%s\nwant\n%s", got, want)
				}
			}
			return nil
		}
	})
}

func TestRevisionsAreNeverUsedTwice(t *testing.T) {
	run(t, *tapes/4, 40, func(player *sim.Player) func(sim.Op) error {
		var before []uint64
		var highest uint64
		return func(sim.Op) error {
			v := &player.Cluster.View
			seen := map[uint64]bool{}
			limit := highest
			for row := range int32(v.Rows()) {
				rev := v.Revision(row)
				if seen[rev] {
					return fmt.Errorf("two rows have revision %d", rev)
				}
				seen[rev] = true
				if int(row) == len(before) {
					before = append(before, 0)
				}
				if rev != before[row] && rev <= limit {
					return fmt.Errorf("row %d went from revision %d to %d, which is not above %d", row, before[row], rev, limit)
				}
				before[row] = rev
				highest = max(highest, rev)
			}
			return nil
		}
	})
}

func TestLogNamesEveryRowThatChanged(t *testing.T) {
	run(t, *tapes/4, 40, func(player *sim.Player) func(sim.Op) error {
		v := &player.Cluster.View
		var kept []string // as one who derives things from rows keeps them
		var seen uint64
		step := 0
		return func(sim.Op) error {
			if step++; step%7 != 0 { // he looks now and then
				return nil
			}
			now := rows(v)
			complete := v.Log().Since(seen, func(row int32) {
				for int(row) >= len(kept) {
					kept = append(kept, "")
				}
				kept[row] = now[row]
			})
			seen = v.Log().Seq()
			if got, want := strings.Join(kept, ""), strings.Join(now, ""); !complete || got != want {
				return fmt.Errorf("repaired by the log (%v)\n%s\nwant\n%s", complete, got, want)
			}
			return nil
		}
	})
}
