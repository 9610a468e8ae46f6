package funchost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	readinessPoll = 25 * time.Millisecond
	restartWindow = 30 * time.Minute // errors further apart than this do not add up
	timeoutGrace  = 2 * time.Second  // from a function's timeout to the end of its process, measured
	restartLimit  = 3                // the error with which the host shuts down
)

// What ends a process without counting as an error.
var (
	errFunctionTimeout  = errors.New("a function ran into functionTimeout")
	errRestartRequested = errors.New("the handler asked for a restart")
)

// worker keeps one handler process running for one host, always on the same port.
type worker struct {
	config  Config
	options hostOptions
	port    int
	gate    *gate
	pid     *atomic.Int64
	starts  *atomic.Int64
	abandon atomic.Bool // the last process is to be left to itself
}

// run starts the handler again and again by the rules of the real host, until ctx ends or its errors are too many
// (it returns the last one). No process is left when it returns, or the abandoned one.
func (w *worker) run(ctx context.Context) (orphan *process, err error) {
	runtime.LockOSThread() // never unlocked: see endWithParent
	var failures failureWindow
	for {
		p, err := w.runOnce(ctx)
		switch {
		case ctx.Err() != nil:
			return p, ctx.Err()
		case errors.Is(err, errRestartRequested), errors.Is(err, errFunctionTimeout):
			w.config.Logger.Warn("Restarting worker process", "cause", err)
		case failures.add(time.Now(), timeScale(w.config.TimeScale).of(restartWindow)):
			w.config.Logger.Error("Exceeded http worker restart retry count. Shutting down Functions Host", "cause", err)
			return nil, fmt.Errorf("exceeded http worker restart retry count: %w", err)
		default:
			w.config.Logger.Error("Restarting worker process", "cause", err)
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
func (w *worker) runOnce(ctx context.Context) (orphan *process, err error) {
	p, err := startProcess(w.config, w.options, w.port)
	if err != nil {
		return nil, err
	}
	defer w.pid.Store(0)
	defer func() {
		if ctx.Err() != nil && w.abandon.Load() {
			p.abandon()
			orphan = p
			return
		}
		p.kill()
	}()
	w.pid.Store(int64(p.pid()))
	w.starts.Add(1)
	w.config.Logger.Info("Worker process started", "pid", p.pid(), "port", w.port)
	if w.config.OnHandlerStart != nil {
		w.config.OnHandlerStart(p.pid())
	}

	e := newEndpoint(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(w.port)))
	defer e.close()
	if err := w.awaitReady(ctx, p, e); err != nil {
		return nil, err
	}
	w.config.Logger.Info("Worker process started and initialized.")
	w.gate.open(e)
	defer w.gate.shut(e)
	return nil, w.awaitEnd(ctx, p, e)
}

// awaitReady polls GET / until any answer comes. The time is counted in polls, so a handler that accepts and stays
// silent holds it up, for as long as a call may take.
func (w *worker) awaitReady(ctx context.Context, p *process, e *endpoint) error {
	for polled := time.Duration(0); polled < w.options.initializationTimeout; polled += readinessPoll {
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
		sleep(ctx, readinessPoll)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("the handler did not answer GET / within %v", w.options.initializationTimeout)
}

// exitError is p's, logged in the real host's words if it is an error that counts.
func (w *worker) exitError(p *process) error {
	err := p.exitError()
	if err != nil && !errors.Is(err, errRestartRequested) {
		w.config.Logger.Error("Language Worker Process exited.", "pid", p.pid(), "exception", err)
	}
	return err
}

func (w *worker) answers(ctx context.Context, e *endpoint) bool {
	ctx, cancel := w.options.withCallLimit(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url.String()+"/", nil)
	if err != nil {
		return false
	}
	request.Header.Set("User-Agent", "") // and so none is sent
	if w.config.traced() {
		addTraceParent(request.Header)
	}
	answer, err := e.calls.RoundTrip(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return true
}

// awaitEnd waits until the process has ended or has to. The real host takes no notice of exit code 0: calls keep going
// to a port where nobody listens.
func (w *worker) awaitEnd(ctx context.Context, p *process, e *endpoint) error {
	exited := p.exited
	for {
		select {
		case <-exited:
			if err := w.exitError(p); err != nil {
				return err
			}
			w.config.Logger.Warn("the handler ended with exit code 0 and is not started again")
			w.pid.Store(0)
			exited = nil
		case <-e.expired:
			w.config.Logger.Warn("A function timeout has occurred. Restarting worker process.")
			sleep(ctx, timeScale(w.config.TimeScale).of(timeoutGrace))
			return errFunctionTimeout
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
