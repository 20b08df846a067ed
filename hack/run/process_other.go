//go:build unix && !linux

package main

import "syscall"

// childAttr puts the child in a group of its own. Only Linux offers to end it with us.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
