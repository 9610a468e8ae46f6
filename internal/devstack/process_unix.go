//go:build unix && !linux

package devstack

import (
	"os/exec"
	"strconv"
)

// arguments returns the arguments of a process as one string; none if it does not run.
func arguments(pid int) []string {
	line, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil
	}
	return []string{string(line)}
}
