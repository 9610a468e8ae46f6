package devstack

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownSession protects a child from the signals of our console.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// needsOtherUser is for systems with a root user.
func needsOtherUser() bool { return false }

func passable(string) bool { return true }

func (*postgresPart) useOtherUser() error { return nil }

// endInOrder ends a program in the only way there is; PostgreSQL recovers from it.
func endInOrder(pid int, _ string) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}

// arguments returns the arguments of a process as one string; none if it does not run.
func arguments(pid int) []string {
	query := fmt.Sprintf("(Get-CimInstance Win32_Process -Filter 'ProcessId=%d').CommandLine", pid)
	line, err := exec.Command("powershell", "-NoProfile", "-Command", query).Output()
	if err != nil {
		return nil
	}
	return []string{string(line)}
}

// freeBytes returns what the disk of a folder has left.
func freeBytes(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: dir, Err: err}
	}
	return int64(free), nil
}
