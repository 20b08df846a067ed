package main

import "syscall"

// childAttr puts a child in a group of its own and has the kernel kill it when we die, however that happens.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
