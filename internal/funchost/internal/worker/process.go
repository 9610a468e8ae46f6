package worker

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// process is one run of the handler executable. It has a parent of its own, which stands for the host's process: the
// handler of a host that is gone must find its parent gone, too.
type process struct {
	parent         *exec.Cmd
	handler        int // process id
	executable     string
	stdout, stderr *console
	output         []io.Closer   // our ends of what it writes to
	exited         chan struct{} // closed once the process is gone and its output read
}

// startProcess starts the handler with the environment that the real host passes to it. It must be called on the
// thread that outlives the process (see endWithParent).
func startProcess(c Config, port int) (*process, error) {
	id, address := uuid.NewString(), strconv.Itoa(port)
	p := &process{
		parent: parentOf(c.Options.Executable, c.Options.Arguments), executable: c.Options.Executable,
		stdout: newConsole(c, false), stderr: newConsole(c, true), exited: make(chan struct{}),
	}
	p.parent.Dir = c.Options.WorkingDirectory
	p.parent.Env = append(c.Settings.Environment(),
		"FUNCTIONS_CUSTOMHANDLER_PORT="+address,
		"FUNCTIONS_HTTPWORKER_PORT="+address,
		"FUNCTIONS_CUSTOMHANDLER_WORKER_ID="+id,
		"FUNCTIONS_HTTPWORKER_ID="+id,
		"FUNCTIONS_APP_ROOT_PATH="+c.Root,
	)
	endWithParent(p.parent)
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("start the handler: %w", err)
	}
	return p, nil
}

// start connects the process to pipes, starts it and has it watched to its end. Of the four pipes two are its output,
// one brings its id, and the last stays open for as long as it runs.
func (p *process) start() error {
	var ours, theirs [4]*os.File
	defer func() { closeAll(theirs[:]) }()
	for i := range ours {
		var err error
		if ours[i], theirs[i], err = os.Pipe(); err != nil {
			closeAll(ours[:])
			return err
		}
	}
	p.parent.Stdout, p.parent.Stderr = theirs[0], theirs[1]
	shareWithParent(p.parent, theirs[2], theirs[3])
	if err := p.parent.Start(); err != nil {
		closeAll(ours[:])
		return err
	}
	closeAll(theirs[:]) // or their ends would never be seen
	p.output = []io.Closer{ours[0], ours[1]}
	go p.watch(ours[0], ours[1], ours[3])
	var err error
	p.handler, err = handlerID(p.parent, ours[2])
	_ = ours[2].Close()
	if err != nil {
		_ = p.parent.Process.Kill()
		<-p.exited
	}
	return err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // of nil as well
	}
}

// watch reads what the process writes until it has ended.
func (p *process) watch(stdout, stderr io.Reader, running *os.File) {
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(p.stdout, stdout) })
	reading.Go(func() { _, _ = io.Copy(p.stderr, stderr) })
	_ = p.parent.Wait() // the exit code is read from its ProcessState
	_, _ = io.Copy(io.Discard, running)
	_ = running.Close()
	late := time.AfterFunc(time.Second, p.closeOutput) // a grandchild may keep stdout open
	reading.Wait()
	late.Stop()
	p.closeOutput()
	p.stdout.flush()
	p.stderr.flush()
	close(p.exited)
}

func (p *process) closeOutput() {
	for _, f := range p.output {
		_ = f.Close()
	}
}

func (p *process) pid() int { return p.handler }

// kill ends the process as the real host does, with SIGKILL, and waits until it is gone.
func (p *process) kill() {
	select {
	case <-p.exited: // its id may be another's by now
	default:
		if handler, err := os.FindProcess(p.handler); err == nil {
			_ = handler.Kill()
		}
	}
	<-p.exited
}

// abandon leaves the process to itself, as a host does that has to end before its calls have: its parent is gone, and its
// output is not read.
func (p *process) abandon() {
	_ = p.parent.Process.Kill()
	p.closeOutput()
}

// exitError says, once the process has exited, what the host makes of that: nil for exit code 0, errRestartRequested for
// 200, else an error with the last lines on stderr.
func (p *process) exitError() error {
	code := p.parent.ProcessState.ExitCode()
	switch code {
	case 0:
		return nil
	case 200:
		return errRestartRequested
	}
	return fmt.Errorf("%s exited with code %d (0x%x): %s", p.executable, code, code, strings.Join(p.stderr.lastLines(), "; "))
}
