package scenarios

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what comes now into the plays")

// stage is what plays are played on: it does one line and says what came of it.
type stage interface {
	do(line words) (said string, err error)
}

// words is a line of a play: a verb, names, and options as key=value.
type words struct {
	verb string
	args []string
	opts map[string]string
}

func (w words) arg(i int) string {
	if i < len(w.args) {
		return w.args[i]
	}
	return ""
}

// playAll plays each file that matches the pattern on a fresh stage.
func playAll(t *testing.T, pattern string, newStage func(t *testing.T) stage) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no plays match %s (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			play(t, file, newStage(t))
		})
	}
}

func play(t *testing.T, file string, s stage) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := perform(string(text), s)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if got == string(text) {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s: the play went differently (-written +now):\n%s", file, cmp.Diff(lines(string(text)), lines(got)))
}

// perform does each line of a play and returns the play with what came of it.
func perform(text string, s stage) (string, error) {
	var out strings.Builder
	in := bufio.NewScanner(strings.NewReader(text))
	for n := 1; in.Scan(); n++ {
		line := in.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			out.WriteString(line + "\n")
			continue
		}
		command, isCommand := strings.CutPrefix(line, "> ")
		if !isCommand {
			continue // what came of it when it was written
		}
		out.WriteString(line + "\n")
		said, err := s.do(split(command))
		if err != nil {
			return "", fmt.Errorf("line %d: %q: %w", n, line, err)
		}
		out.WriteString(said)
	}
	return out.String(), in.Err()
}

// split cuts a line into words; a value in double quotes may hold spaces.
func split(line string) words {
	w := words{opts: map[string]string{}}
	for i, field := range fields(line) {
		key, value, isOption := strings.Cut(field, "=")
		switch {
		case i == 0:
			w.verb = field
		case isOption:
			w.opts[key] = strings.Trim(value, `"`)
		default:
			w.args = append(w.args, field)
		}
	}
	return w
}

func fields(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }
