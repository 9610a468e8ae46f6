//go:build !unix

package worker

import (
	"io"
	"os"
	"os/exec"
)

// parentOf is the handler itself: without a shell it has no parent that could be gone, and an abandoned one is killed.
func parentOf(executable string, arguments []string) *exec.Cmd {
	return exec.Command(executable, arguments...)
}

func shareWithParent(*exec.Cmd, *os.File, *os.File) {}

func handlerID(parent *exec.Cmd, _ io.Reader) (int, error) { return parent.Process.Pid, nil }
