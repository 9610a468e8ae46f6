package functionshost

import (
	"context"
	"net"
	"os"
	"os/exec"
	"runtime"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// coreTools is Microsoft's `func` (Azure Functions Core Tools), which runs the handler in its own process group.
type coreTools struct {
	addr    string
	cmd     *exec.Cmd
	handler string
	ended   chan struct{}
}

// startCoreTools runs `func start` with the settings in its environment, which take precedence over local.settings.json.
func startCoreTools(path string, config Config) (Host, error) {
	_, port, err := net.SplitHostPort(config.Address)
	if err != nil {
		return nil, err
	}
	f := &coreTools{addr: config.Address, handler: config.Handler, ended: make(chan struct{})}
	f.cmd = exec.Command(path, "start", "--port", port)
	f.cmd.Dir = config.Root
	f.cmd.Env = os.Environ()
	for name, value := range config.Settings {
		f.cmd.Env = append(f.cmd.Env, name+"="+value)
	}
	f.cmd.Stdout, f.cmd.Stderr = config.Log, config.Log
	f.cmd.WaitDelay = time.Second // its children may still hold the log
	ownGroup(f.cmd)
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel signals func when the thread that started it ends
		err := f.cmd.Start()
		started <- err
		if err == nil {
			_ = f.cmd.Wait()
			close(f.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, words.Errorf("start func: %w", err)
	}
	go f.watch(config.OnHandlerStart)
	return f, nil
}

// watch polls for the handler: func does not tell when it starts one.
func (f *coreTools) watch(onStart func(pid int)) {
	for known := 0; ; {
		select {
		case <-f.ended:
			return
		case <-time.After(100 * time.Millisecond):
		}
		if _, pid := f.PIDs(); pid != 0 && pid != known {
			known = pid
			onStart(pid)
		}
	}
}

func (f *coreTools) URL() string { return "http://" + f.addr }

func (f *coreTools) PIDs() (host, handler int) { return findInGroup(f.cmd.Process.Pid, f.handler) }

func (f *coreTools) Ended() <-chan struct{} { return f.ended }

// Stop interrupts func as Ctrl+C does, which also ends the handler, and kills both after ten seconds.
func (f *coreTools) Stop(ctx context.Context) error {
	defer killGroup(f.cmd) // processes that func has left
	interruptGroup(f.cmd)
	select {
	case <-f.ended:
		return nil
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
	}
	killGroup(f.cmd)
	<-f.ended
	return nil
}
