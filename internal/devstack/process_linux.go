package devstack

import (
	"fmt"
	"os"
	"strings"
)

// arguments returns the arguments of a process, none if it does not run.
func arguments(pid int) []string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(string(line), "\x00")
}
