package oracle

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/berth-scheduler/berth/test/sim"
)

var (
	questions = flag.Int("questions", 1000, "how many questions TestQuestions asks")
	first     = flag.Bool("first", false, "end TestQuestions with the first difference, as it is found")
)

// both is the one oracle of the tests: upstream's scheduler takes a moment to build.
var both = sync.OnceValues(New)

func mustOracle(t *testing.T) *Oracle {
	t.Helper()
	o, err := both()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// drawOf is the random number that decides between equal nodes in the question of a
// seed.
func drawOf(seed uint64) uint64 { return seed * 0x9e3779b97f4a7c15 }

func TestQuestions(t *testing.T) {
	o := mustOracle(t)
	t.Logf("compared: %v", o.Compared)
	t.Logf("not compared, as they are not built: %v", o.Missing)
	covered := NewCoverage()
	var found []Difference
	for seed := range sim.Seeds(*questions) {
		q, stratum := Draw(seed)
		r, err := o.Ask(q, drawOf(seed))
		if err != nil {
			t.Fatalf("seed %d, %s: %v\n%s", seed, stratum, err, q)
		}
		covered.Add(q, stratum, r)
		for _, d := range r.Unexplained {
			if *first {
				t.Fatalf("question %d: %v", covered.questions, d)
			}
			if !slices.ContainsFunc(found, d.like) {
				found = append(found, d)
				report(t, o, seed, q, d)
			}
		}
		if len(found) >= enough {
			t.Fatalf("that is enough, after %d questions", covered.questions)
		}
	}
	t.Log("\n" + covered.String())
	if covered.questions < *questions {
		return // a single seed covers little
	}
	for _, gap := range covered.Gaps(o) {
		t.Error(gap)
	}
}

// enough differences of different kinds end the search.
const enough = 6

// report shrinks a difference, prints it, and saves it as a fixture.
func report(t *testing.T, o *Oracle, seed uint64, q *Question, d Difference) {
	t.Helper()
	small, diff := o.Shrink(q, d, drawOf(seed))
	text, err := small.YAML()
	t.Errorf("seed %d (-seed %d asks it alone): %v\nshrunk to\n%s%v", seed, seed, d, text, diff)
	if err != nil {
		t.Error(err)
		return
	}
	name := fmt.Sprintf("%s-%d.yaml", d.Kind, seed)
	header := fmt.Sprintf("# Seed %d, shrunk. %v\n", seed, diff)
	if err := os.WriteFile(filepath.Join(fixtures, name), append([]byte(header), text...), 0o644); err != nil {
		t.Error(err)
	}
}

// fixtures holds differences that were found once. Each is asked again.
const fixtures = "testdata/diff"

func TestFoundDifferencesAreGone(t *testing.T) {
	o := mustOracle(t)
	files, err := filepath.Glob(filepath.Join(fixtures, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			q, err := ParseQuestion(text)
			if err != nil {
				t.Fatal(err)
			}
			r, err := o.Ask(q, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range r.Unexplained {
				t.Errorf("%v\n%s", d, q)
			}
		})
	}
}
