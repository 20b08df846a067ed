package process

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane/child"
)

// nowhere is an address that a scheduler can be told and that nobody calls.
const nowhere = "--master=https://127.0.0.1:1"

// answer is what a user sees of a process.
type answer struct {
	Code    int
	Out     string // the version, if asked for it
	Message string // of the failure
	Usage   bool   // the whole usage comes before the message
	File    string // that --write-config-to wrote
	Plugins string // who runs at each point, by profile; logged with -v=2
}

// patience is how long a program may take to answer. One that goes on serving instead is
// killed.
const patience = 10 * time.Second

// ask runs a program until it ends. FILE in an argument is a file to write.
func ask(t *testing.T, program string, args ...string) answer {
	t.Helper()
	file := filepath.Join(t.TempDir(), "written.yaml")
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = strings.ReplaceAll(arg, "FILE", file)
	}
	cmd := exec.Command(program, list...)
	cmd.Dir = t.TempDir() // nothing there by accident
	cmd.Env = []string{"HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH")}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := child.Run(cmd, patience)
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	a := answer{Code: cmd.ProcessState.ExitCode()}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--version") }) {
		a.Out = stdout.String()
	}
	if a.Code != 0 {
		a.Message = message(stderr.String())
		a.Usage = strings.Contains(stderr.String(), "Usage:\n")
	}
	var plugins []string
	for _, m := range pluginsLine.FindAllStringSubmatch(stderr.String(), -1) {
		plugins = append(plugins, m[1])
	}
	a.Plugins = strings.Join(plugins, "\n")
	if text, err := os.ReadFile(file); err == nil {
		a.File = string(text)
	}
	return a
}

var (
	pluginsLine = regexp.MustCompile(`"the scheduler starts to work with those plugins" Plugins=(.*)`)
	quotedError = regexp.MustCompile(`"command failed" err=(".*")`)
	longError   = regexp.MustCompile(`(?s)"command failed" err=<\n(.*?)\n >`)
)

// message finds why a process failed in what it printed: in the log, which breaks long
// values into lines, or as the last line.
func message(stderr string) string {
	if m := quotedError.FindStringSubmatch(stderr); m != nil {
		if text, err := strconv.Unquote(m[1]); err == nil {
			return text
		}
	}
	if m := longError.FindStringSubmatch(stderr); m != nil {
		return strings.TrimPrefix(strings.ReplaceAll(m[1], "\n\t", "\n"), "\t")
	}
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "Error: ")
}

func TestMessageIsFound(t *testing.T) {
	f := func(stderr, want string) {
		t.Helper()
		if got := message(stderr); got != want {
			t.Errorf("%q: got %q, want %q", stderr, got, want)
		}
	}
	f("I0101 x.go:1] hello\nE0101 run.go:72] \"command failed\" err=\"no \\\"X\\\"\"\n", `no "X"`)
	f("E0101 run.go:72] \"command failed\" err=<\n\tone:\n\t  two\n >\n", "one:\n  two")
	f("Usage:\n  kube-scheduler\n\nError: unknown flag: --foo\n", "unknown flag: --foo")
	f("format: Invalid value\n", "format: Invalid value")
}
