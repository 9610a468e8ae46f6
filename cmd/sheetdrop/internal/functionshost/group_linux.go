package functionshost

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// ownGroup puts a child into a process group of its own, and has the kernel interrupt it when this process is killed.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
}

// findInGroup returns the process that runs a program in a process group, and its parent; 0 if there is none.
func findInGroup(group int, program string) (parent, pid int) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is well formed
	for _, link := range links {
		running, err := os.Readlink(link)
		if err != nil || strings.TrimSuffix(running, " (deleted)") != program {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(filepath.Dir(link), "stat")) // pid (name) state ppid pgrp …
		if err != nil {
			continue
		}
		var state string
		var parent, itsGroup, pid int
		_, after, _ := bytes.Cut(stat, []byte(") "))
		if _, err := fmt.Sscan(string(after), &state, &parent, &itsGroup); err != nil || itsGroup != group || state == "Z" {
			continue
		}
		if _, err := fmt.Sscan(string(stat), &pid); err == nil {
			return parent, pid
		}
	}
	return 0, 0
}
