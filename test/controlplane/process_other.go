//go:build unix && !linux

package controlplane

import "syscall"

// childAttr puts a child in its own process group. Only Linux offers to end it with us; elsewhere Stop has to run.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
