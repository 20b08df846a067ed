package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/berth-scheduler/berth/test/bench/workload"
	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

const module = "github.com/berth-scheduler/berth"

// programs are where the schedulers are; those that nobody asked for are nowhere.
type programs struct {
	null, upstream, berth string
	berthHelp             string // what Berth says of its flags
	release               string // of Kubernetes and etcd; the folder that upstream's programs were built into
	key                   string // changes with any of them and with the workloads
}

// buildPrograms builds the schedulers that are asked for, and what the control plane runs.
func buildPrograms(ctx context.Context, dir string, schedulers []string) (*programs, error) {
	asked := func(name string) bool { return slices.Contains(schedulers, name) }
	wanted := []string{"etcd", "kube-apiserver"}
	if asked("upstream") || asked("upstream-all") {
		wanted = append(wanted, "kube-scheduler")
	}
	found, err := tools.Paths(ctx, wanted...)
	if err != nil {
		return nil, err
	}
	p := &programs{}
	if len(wanted) > 2 {
		p.upstream = found[2]
	}
	p.release = filepath.Base(filepath.Dir(found[0]))
	if asked("null") {
		if p.null, err = build(ctx, dir, "null", module+"/test/bench/null"); err != nil {
			return nil, err
		}
	}
	if asked("berth") {
		if err := p.buildBerth(ctx, dir); err != nil {
			return nil, err
		}
	}
	p.key, err = p.fingerprint()
	return p, err
}

func (p *programs) buildBerth(ctx context.Context, dir string) (err error) {
	if p.berth, err = build(ctx, dir, "berth", module+"/cmd/kube-scheduler"); err != nil {
		return err
	}
	help, err := exec.CommandContext(ctx, p.berth, "--help").CombinedOutput()
	if err != nil {
		return fmt.Errorf("cannot ask Berth for its flags: %w", err)
	}
	p.berthHelp = string(help)
	return nil
}

// build compiles without the flags of make build, and so shares the packages that the tests have compiled. Without a
// stamp, too: the same source gives the same program.
func build(ctx context.Context, dir, name, pkg string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", path, pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

// fingerprint stands for the programs and the workloads.
func (p *programs) fingerprint() (string, error) {
	sum := sha256.New()
	for _, path := range []string{p.null, p.berth} {
		if path == "" {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	sum.Write([]byte(p.release))
	sum.Write(workload.BuiltInBytes())
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}
