package main

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a child into a process group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// interruptGroup has no gentle way here.
func interruptGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // gone is fine

// findInGroup cannot tell here.
func findInGroup(int, string) (parent, pid int) { return 0, 0 }
