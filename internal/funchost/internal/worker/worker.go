// Package worker runs the handler process as the Functions host does: it starts it, polls it until it is ready, restarts it a limited
// number of times, and knows which process calls go to.
package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/timing"
)

const (
	readinessPoll = 25 * time.Millisecond
	restartWindow = 30 * time.Minute // errors further apart than this do not add up
	timeoutGrace  = 2 * time.Second  // from a function's timeout to the end of its process, measured
	restartLimit  = 3                // the error with which the host shuts down
)

// errRestartRequested ends a process without counting as an error, as app.ErrFunctionTimeout does.
var errRestartRequested = errors.New("the handler asked for a restart")

// Config says which handler to run and how. See funchost.Config for the fields of the same names.
type Config struct {
	Root           string
	Options        app.Options
	Settings       app.Settings
	Scale          timing.Scale
	Log            *slog.Logger
	HandlerOutput  io.Writer // nil: Log
	OnHandlerStart func(pid int)
}

// Worker keeps one handler process running for one host, always on the same port.
type Worker struct {
	Config
	Port   int
	Gate   *Gate
	PID    *atomic.Int64 // of the process, 0 while it is down
	Starts *atomic.Int64 // of processes

	abandon atomic.Bool // the last process is to be left to itself
}

// Abandon makes Run leave the process to itself when its context ends, rather than kill it.
func (w *Worker) Abandon() { w.abandon.Store(true) }

// Process is a handler that was abandoned.
type Process struct{ process *process }

// Kill ends it and waits until it is gone.
func (p *Process) Kill() { p.process.kill() }

// Run starts the handler again and again by the rules of the real host, until ctx ends or its errors are too many (it
// returns the last one). No process is left when it returns, but an abandoned one.
func (w *Worker) Run(ctx context.Context) (orphan *Process, err error) {
	runtime.LockOSThread() // never unlocked: see endWithParent
	var failures failureWindow
	for {
		p, err := w.runOnce(ctx)
		switch {
		case ctx.Err() != nil:
			return p, ctx.Err()
		case errors.Is(err, errRestartRequested), errors.Is(err, app.ErrFunctionTimeout):
			w.Log.Warn("Restarting worker process", "cause", err)
		case failures.add(time.Now(), w.Scale.Of(restartWindow)):
			w.Log.Error("Exceeded http worker restart retry count. Shutting down Functions Host", "cause", err)
			return nil, fmt.Errorf("exceeded http worker restart retry count: %w", err)
		default:
			w.Log.Error("Restarting worker process", "cause", err)
		}
	}
}

// failureWindow counts errors that each came less than the window after the one before.
type failureWindow struct {
	count int
	last  time.Time
}

// add counts one error and reports whether it is one too many.
func (f *failureWindow) add(now time.Time, window time.Duration) bool {
	if f.count > 0 && now.Sub(f.last) > window {
		f.count = 0
	}
	f.count, f.last = f.count+1, now
	return f.count >= restartLimit
}

// runOnce runs one process to its end and says why it ended. It returns the process where that runs on, abandoned.
func (w *Worker) runOnce(ctx context.Context) (orphan *Process, err error) {
	p, err := startProcess(w.Config, w.Port)
	if err != nil {
		return nil, err
	}
	defer w.PID.Store(0)
	defer func() {
		if ctx.Err() != nil && w.abandon.Load() {
			p.abandon()
			orphan = &Process{p}
			return
		}
		p.kill()
	}()
	w.PID.Store(int64(p.pid()))
	w.Starts.Add(1)
	w.Log.Info("Worker process started", "pid", p.pid(), "port", w.Port)
	if w.OnHandlerStart != nil {
		w.OnHandlerStart(p.pid())
	}

	e := newEndpoint(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(w.Port)))
	defer e.close()
	if err := w.awaitReady(ctx, p, e); err != nil {
		return nil, err
	}
	w.Log.Info("Worker process started and initialized.")
	w.Gate.open(e)
	defer w.Gate.shut(e)
	return nil, w.awaitEnd(ctx, p, e)
}

// awaitReady polls GET / until any answer comes. The time is counted in polls, so a handler that accepts and stays
// silent holds it up, for as long as a call may take.
func (w *Worker) awaitReady(ctx context.Context, p *process, e *Endpoint) error {
	for polled := time.Duration(0); polled < w.Options.InitializationTimeout; polled += readinessPoll {
		if w.answers(ctx, e) {
			return nil
		}
		select {
		case <-p.exited:
			if err := w.exitError(p); err != nil {
				return err
			}
		default:
		}
		timing.Sleep(ctx, readinessPoll)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("the handler did not answer GET / within %v", w.Options.InitializationTimeout)
}

// exitError is p's, logged in the real host's words if it is an error that counts.
func (w *Worker) exitError(p *process) error {
	err := p.exitError()
	if err != nil && !errors.Is(err, errRestartRequested) {
		w.Log.Error("Language Worker Process exited.", "pid", p.pid(), "exception", err)
	}
	return err
}

func (w *Worker) answers(ctx context.Context, e *Endpoint) bool {
	ctx, cancel := w.Options.WithCallLimit(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL.String()+"/", nil)
	if err != nil {
		return false
	}
	request.Header.Set("User-Agent", "") // and so none is sent
	if w.Settings.Traced() {
		AddTraceParent(request.Header)
	}
	answer, err := e.Calls.RoundTrip(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return true
}

// awaitEnd waits until the process has ended or has to. The real host takes no notice of exit code 0: calls keep going
// to a port where nobody listens.
func (w *Worker) awaitEnd(ctx context.Context, p *process, e *Endpoint) error {
	exited := p.exited
	for {
		select {
		case <-exited:
			if err := w.exitError(p); err != nil {
				return err
			}
			w.Log.Warn("the handler ended with exit code 0 and is not started again")
			w.PID.Store(0)
			exited = nil
		case <-e.expired:
			w.Log.Warn("A function timeout has occurred. Restarting worker process.")
			timing.Sleep(ctx, w.Scale.Of(timeoutGrace))
			return app.ErrFunctionTimeout
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
