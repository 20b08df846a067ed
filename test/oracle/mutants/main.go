// Command mutants plants faults in a copy of the repository, one at a time, and lets
// the oracle look for each. A fault that it does not find shows what its questions are
// not about.
//
// Each *.patch beside this file is one fault; the lines before its first "---" say
// what is wrong with it. The working tree is never touched.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

var (
	questions = flag.Int("questions", 2000, "within how many questions a fault must be found")
	only      = flag.String("only", "", "plant this fault alone")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := output(".", "git", "-c", "safe.directory=*", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	root = strings.TrimSpace(root)
	patches, err := filepath.Glob(filepath.Join(root, "test", "oracle", "mutants", "*.patch"))
	if err != nil {
		return err
	}
	copied, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	if err := copyTree(root, copied); err != nil {
		return err
	}
	if *only == "" {
		fmt.Printf("without a fault: ")
		if where, what := ask(copied); where != "" || what != "" {
			return fmt.Errorf("the oracle is not silent: %s %s", where, what)
		}
		fmt.Printf("%d questions, no difference\n", *questions)
	}
	missed := 0
	fmt.Printf("%-16s %8s %8s  %s\n", "fault", "question", "seconds", "how it shows")
	for _, patch := range patches {
		name := strings.TrimSuffix(filepath.Base(patch), ".patch")
		if *only != "" && *only != name {
			continue
		}
		if !plant(copied, patch, name) {
			missed++
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d faults were not found", missed)
	}
	return nil
}

// plant puts one fault into the copy, looks for it, takes it out again, and reports
// whether it was found.
func plant(copied, patch, name string) bool {
	if _, err := output(copied, "git", "apply", patch); err != nil {
		fmt.Printf("%-16s %8s %8s  the patch does not apply any more: %v\n", name, "-", "-", err)
		return false
	}
	start := time.Now()
	where, what := ask(copied)
	fmt.Printf("%-16s %8s %8.1f  %s\n", name, where, time.Since(start).Seconds(), what)
	if _, err := output(copied, "git", "apply", "-R", patch); err != nil {
		fmt.Printf("%-16s cannot be taken out again: %v\n", name, err)
		return false
	}
	return where != ""
}

var difference = regexp.MustCompile(`question (\d+): (.*)`)

// ask runs the oracle in the copy until the first difference, and returns which
// question it was and what differed. A failure of another kind has no question.
func ask(copied string) (question, what string) {
	text, err := output(filepath.Join(copied, "test", "oracle"),
		"go", "test", "-vet=off", "-count=1", "-run", "^TestQuestions$", ".", "-questions", fmt.Sprint(*questions), "-first")
	if m := difference.FindStringSubmatch(text); m != nil {
		return m[1], cut(m[2], 120)
	}
	if err != nil {
		return "", cut("no difference, but: "+strings.Join(strings.Fields(text+" "+err.Error()), " "), 400)
	}
	return "", ""
}

// copyTree copies what is, or will be, in the repository.
func copyTree(root, to string) error {
	list, err := output(root, "git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	if err != nil {
		return err
	}
	for _, name := range strings.Split(strings.TrimRight(list, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and the deletion not recorded yet
		}
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// output runs a command and returns what it printed. An error carries what it said.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
	}
	return string(out), err
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + " ..."
}
