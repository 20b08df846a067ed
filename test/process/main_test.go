package process

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

var update = flag.Bool("update", false, "write kube-scheduler's answers into testdata")

// The two programs.
var ours, upstream string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "berth-process-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if *table {
		printTable(os.Stdout)
	}
	return code
}

// build makes both, with the same version: it shows in messages.
func build(dir string) error {
	paths, err := tools.Paths(context.Background(), "kube-scheduler")
	if err != nil {
		return err
	}
	upstream, ours = paths[0], filepath.Join(dir, "kube-scheduler")
	out, err := exec.Command(upstream, "--version").Output()
	if err != nil {
		return fmt.Errorf("cannot ask %s for its version: %w", upstream, err)
	}
	version := strings.TrimPrefix(strings.TrimSpace(string(out)), "Kubernetes ")
	number := strings.Split(strings.TrimPrefix(version, "v"), ".")
	const at = "-X k8s.io/component-base/version."
	stamp := at + "gitVersion=" + version + " " + at + "gitMajor=" + number[0] + " " + at + "gitMinor=" + number[1]
	if out, err := exec.Command("go", "build", "-ldflags", stamp, "-o", ours, "../../cmd/kube-scheduler").CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the scheduler: %w\n%s", err, out)
	}
	return nil
}
