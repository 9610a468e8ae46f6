package funchost

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// process is one run of the handler executable.
type process struct {
	cmd    *exec.Cmd
	stderr *console
	exited chan struct{} // closed once the process is gone and its output read
}

// startProcess starts the handler with the environment that the real host gives it. It must be called on the thread
// that outlives the process (see endWithParent).
func startProcess(c Config, o hostOptions, port int) (*process, error) {
	id, address := uuid.NewString(), strconv.Itoa(port)
	cmd := exec.Command(o.executable, o.arguments...)
	cmd.Dir = o.workingDirectory
	cmd.Env = append(c.environ(),
		"FUNCTIONS_CUSTOMHANDLER_PORT="+address,
		"FUNCTIONS_HTTPWORKER_PORT="+address,
		"FUNCTIONS_CUSTOMHANDLER_WORKER_ID="+id,
		"FUNCTIONS_HTTPWORKER_ID="+id,
		"FUNCTIONS_APP_ROOT_PATH="+c.Root,
	)
	stdout, stderr := newConsole(c, false), newConsole(c, true)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = time.Second // a grandchild that kept stdout must not keep us
	endWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the handler: %w", err)
	}
	p := &process{cmd: cmd, stderr: stderr, exited: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the exit code is read from cmd.ProcessState
		stdout.flush()
		stderr.flush()
		close(p.exited)
	}()
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// kill ends the process as the real host does, with SIGKILL, and waits until it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // an error says that it is gone already
	<-p.exited
}

// exitError says, once the process has exited, what the host makes of that: nil for exit code 0, errRestartRequested for
// 200, else an error with the last lines on stderr.
func (p *process) exitError() error {
	switch p.cmd.ProcessState.ExitCode() {
	case 0:
		return nil
	case 200:
		return errRestartRequested
	}
	return fmt.Errorf("the handler ended (%s): %s", p.cmd.ProcessState, strings.Join(p.stderr.lastLines(), "; "))
}

// sleep waits for d, or less when ctx ends first.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
