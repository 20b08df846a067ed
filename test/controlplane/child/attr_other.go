//go:build unix && !linux

package child

import "syscall"

// attr puts a child in a process group of its own. Only Linux offers to end it with us; elsewhere Stop has to run.
func attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
