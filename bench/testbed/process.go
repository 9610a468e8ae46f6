package testbed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// settings are the environment of handler and host.
func (a *App) settings(more map[string]string) map[string]string {
	all := map[string]string{
		"DATABASE_URL": a.URL, "DATA_STORAGE": a.Storage.Connection, "AzureWebJobsStorage": a.Storage.Connection,
		"BLOB_CONTAINER": a.Storage.Container, "PARSE_QUEUE": a.Storage.Queue, "LOG_LEVEL": "WARN",
		"RELAY_SCHEDULE": "*/10 * * * * *", "AzureWebJobsDisableHomepage": "true", "AUTH": "local",
		"AZURE_CLIENT_ID": "", "CONTAINER_NAME": "", "FUNCTIONS_WORKER_RUNTIME": "custom",
		"AzureFunctionsWebHost__hostid": a.Storage.Queue,
	}
	maps.Copy(all, more)
	return all
}

// Program is a running handler, alone or below its host.
type Program struct {
	URL  string
	PID  int // of the handler
	stop func() error
}

// StartHandler runs a handler to which nothing is delivered but what the benchmark does. name is how it is measured.
func (a *App) StartHandler(ctx context.Context, name string, settings map[string]string) (*Program, error) {
	path, err := a.testbed.Handler(ctx)
	if err != nil {
		return nil, err
	}
	return a.startHandler(ctx, path, name, settings)
}

// StartEarlier does the same with the handler of an older version.
func (a *App) StartEarlier(ctx context.Context, name string) (*Program, error) {
	return a.startHandler(ctx, a.testbed.Before, name, nil)
}

func (a *App) startHandler(ctx context.Context, path, name string, settings map[string]string) (*Program, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	cmd.Env = os.Environ()
	for key, value := range a.settings(settings) {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	cmd.Env = append(cmd.Env, "FUNCTIONS_CUSTOMHANDLER_PORT="+strconv.Itoa(port))
	log, err := os.Create(filepath.Join(a.testbed.Dir, fmt.Sprintf("%s-%s.log", name, a.testbed.name())))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	remove := a.testbed.Meter.Add(name, cmd.Process.Pid)
	p := &Program{URL: "http://127.0.0.1:" + strconv.Itoa(port), PID: cmd.Process.Pid, stop: func() error {
		remove()
		err := cmd.Process.Signal(os.Interrupt)
		return errors.Join(err, ignoreExit(cmd.Wait()))
	}}
	if err := p.awaitHTTP(ctx); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// ignoreExit is for a program that was told to stop: how it says so is not of interest.
func ignoreExit(err error) error {
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		return nil
	}
	return err
}

// awaitHTTP waits for the first answer to what a host asks, as often as a host does.
func (p *Program) awaitHTTP(ctx context.Context) error {
	return Await(ctx, time.Millisecond, func() (bool, error) {
		response, err := http.Get(p.URL + "/") //nolint:noctx // it answers at once, or there is nobody
		if err != nil {
			if errors.Is(err, syscall.ECONNREFUSED) {
				return false, nil
			}
			return false, err
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
}

// StartHost runs the app under a host of its own process: uploads are parsed as they come.
func (a *App) StartHost(ctx context.Context, name string, settings map[string]string) (*Program, error) {
	path, err := a.testbed.Handler(ctx)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	order, err := json.Marshal(hostOrder{Root: a.testbed.Root, Executable: path, Settings: a.settings(settings)})
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, HostArgument)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() error { return errors.Join(in.Close(), ignoreExit(cmd.Wait())) }
	var ready hostReady
	if _, err = in.Write(append(order, '\n')); err == nil {
		err = json.NewDecoder(out).Decode(&ready)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a host: %w", err), stop())
	}
	removeHandler, removeHost := a.testbed.Meter.Add(name, ready.HandlerPID), a.testbed.Meter.Add(name+"'s host and it", cmd.Process.Pid)
	return &Program{URL: ready.URL, PID: ready.HandlerPID, stop: func() error { removeHandler(); removeHost(); return stop() }}, nil
}

// Stop ends the program. That it does not end well is logged, for what it did has been measured.
func (p *Program) Stop(log func(string, ...any)) {
	if err := p.stop(); err != nil {
		log("a program did not end well: %v", err)
	}
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
