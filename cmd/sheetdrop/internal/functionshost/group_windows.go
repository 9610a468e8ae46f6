package functionshost

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a child into a process group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// interruptGroup kills: Windows has no SIGINT for other processes.
func interruptGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // gone is fine

// findInGroup is not implemented for this system.
func findInGroup(int, string) (parent, pid int) { return 0, 0 }
