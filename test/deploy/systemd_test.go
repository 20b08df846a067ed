package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// exposed is the most that systemd may find left open; 10 is a service without limits.
const exposed = 2.5

var overall = regexp.MustCompile(`Overall exposure level for [^:]+: ([0-9.]+)`)

func TestSystemdTakesTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("this machine has no systemd-analyze")
	}
	// systemd looks whether the program is there, so the unit names one that is.
	dir := t.TempDir()
	program := filepath.Join(dir, "kube-scheduler")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(dir, "kube-scheduler.service")
	text := bytes.ReplaceAll(mustRead(t, "manifests", "systemd", "kube-scheduler.service"), []byte("/usr/local/bin/kube-scheduler"), []byte(program))
	if err := os.WriteFile(unit, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	// Operators make the group to give it files, and systemd makes no user of the name of
	// a group that is there; its verify does not see that.
	if bytes.Contains(text, []byte("DynamicUser=")) {
		t.Error("the unit asks for a dynamic user, whose group operators make")
	}
	out, err := exec.Command(analyze, "security", "--offline=yes", "--no-pager", unit).CombinedOutput()
	found := overall.FindSubmatch(out)
	if err != nil || found == nil {
		t.Fatalf("systemd-analyze security: %v\n%s", err, out)
	}
	if level, err := strconv.ParseFloat(string(found[1]), 64); err != nil || level > exposed {
		t.Errorf("exposure level %s, want at most %v\n%s", found[1], exposed, out)
	}
}
