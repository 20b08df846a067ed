package child

import "syscall"

// attr puts a child in a process group of its own and has the kernel kill it when we die, however that happens.
func attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
