//go:build unix && !linux

package functionshost

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a child into a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// findInGroup is not implemented for this system.
func findInGroup(int, string) (parent, pid int) { return 0, 0 }
