// Package tools finds the programs that tests run, and builds those that are not there yet.
//
// It is hack/tools.sh for Go code: that script says which programs there are, where they go and why a program that
// is there is the right one. Paths may take minutes on a machine that has built nothing, milliseconds afterwards.
package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const script = "hack/tools.sh"

// Paths returns the path of each named program in the order asked, after building what is missing.
// Progress goes to stderr. A context that ends stops the build; what was compiled until then is kept
// in the Go build cache, so the next try is shorter.
func Paths(ctx context.Context, names ...string) ([]string, error) {
	root, err := checkout()
	if err != nil {
		return nil, fmt.Errorf("cannot find %s: %w", script, err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", append([]string{script}, names...)...)
	cmd.Dir = root
	cmd.Stdout = &stdout
	cmd.Stderr = io.MultiWriter(os.Stderr, &stderr)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // the script then ends its build
	cmd.WaitDelay = 20 * time.Second
	err = cmd.Run()
	switch wanted := strings.Join(names, " "); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("cannot wait for the build of %s to end, run `%s %s` once: %w",
			wanted, script, wanted, context.Cause(ctx))
	case err != nil:
		return nil, fmt.Errorf("cannot build %s: %w\n%s", wanted, err, stderr.Bytes())
	}
	return strings.Fields(stdout.String()), nil
}

// checkout walks up from the working directory, which for a test is its package's folder.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, script))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("not inside a checkout of Berth")
		}
		dir = up
	}
}
