package child

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestRunTellsHowACommandEnded(t *testing.T) {
	if err := Run(exec.Command("/bin/sh", "-c", "exit 0"), time.Minute); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	var exit *exec.ExitError
	if err := Run(exec.Command("/bin/sh", "-c", "exit 3"), time.Minute); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("got %v, want exit status 3", err)
	}
}

func TestRunKillsACommandThatGoesOn(t *testing.T) {
	err := Run(exec.Command("/bin/sh", "-c", "exec sleep 600"), 50*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "sh had not ended after 50ms") {
		t.Errorf("got %v, want an error that says so", err)
	}
}
