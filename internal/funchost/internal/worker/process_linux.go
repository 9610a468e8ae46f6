package worker

import (
	"os/exec"
	"syscall"
)

// endWithParent has the kernel kill the handler when this process dies, however it dies. The kernel ties the child to
// the thread that forked it, so the caller must hold that thread (runtime.LockOSThread) for as long as the child runs.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
