package child

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Run runs a command to its end as its own Run would, and kills it if that takes longer than the limit.
func Run(cmd *exec.Cmd, limit time.Duration) error {
	runtime.LockOSThread() // see Process.run
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = attr()
	if err := cmd.Start(); err != nil {
		return err
	}
	kill := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !kill.Stop() {
		return fmt.Errorf("%s had not ended after %v and was killed", filepath.Base(cmd.Path), limit)
	}
	return err
}
