package funchost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// jobHost is one life of the host between two replacements: a port, a handler that is restarted a limited number of
// times, and running listeners.
type jobHost struct {
	host      *Host
	worker    *worker
	listening context.Context // ends when this job host takes no more calls
	giveUp    context.CancelCauseFunc
	life      context.Context // ends when its running calls are cut off and its handler is killed
	endLife   context.CancelFunc
}

// listener brings the calls of one function, other than HTTP.
type listener interface {
	// run takes new work until listening ends and returns when the calls under way have ended; those end early
	// when life does.
	run(listening, life context.Context)
}

// runJobHost runs a new job host until it gives up or the host stops. No listener and no handler is left then. It calls
// ready when the handler has answered for the first time.
func (h *Host) runJobHost(ready func()) error {
	port, releasePort, err := reservePort()
	if err != nil {
		return err
	}
	defer releasePort()
	j := &jobHost{host: h, worker: &worker{
		config: h.config, options: h.options, port: port, gate: h.gate, pid: &h.pid, starts: &h.handlerStarts,
	}}
	j.life, j.endLife = context.WithCancel(h.life)
	j.listening, j.giveUp = context.WithCancelCause(h.listening)
	defer j.giveUp(nil)
	h.mu.Lock()
	h.job = j
	h.mu.Unlock()

	var worker sync.WaitGroup
	worker.Go(func() { j.giveUp(j.worker.run(j.life)) })
	if _, err := h.gate.wait(j.listening); err == nil {
		ready()
		j.listen()
	}
	h.config.Logger.Info("the listeners have stopped")
	if h.listening.Err() != nil { // HTTP requests may still need the handler
		close(h.drained)
		<-h.life.Done()
	}
	j.endLife()
	worker.Wait()
	return context.Cause(j.listening)
}

// listen runs the listeners until this job host takes no more calls, and then waits for the calls under way, but not
// for long.
func (j *jobHost) listen() {
	var listeners sync.WaitGroup
	for _, l := range j.host.listeners {
		listeners.Go(func() { l.run(j.listening, j.life) })
	}
	<-j.listening.Done()
	if j.host.listening.Err() == nil { // else Stop looks after the time
		grace := time.AfterFunc(timeScale(j.host.config.TimeScale).of(stopGrace), j.endLife)
		defer grace.Stop()
	}
	listeners.Wait()
}

// errNeverReady makes a job host give up.
var errNeverReady = errors.New("a call waited too long for the handler to be ready")

// endpoint waits for a ready handler, at most four times initializationTimeout; then the job host gives up.
func (h *Host) endpoint(ctx context.Context) (*endpoint, error) {
	h.mu.Lock()
	j := h.job
	h.mu.Unlock()
	wait, cancel := context.WithTimeoutCause(ctx, notReadyFactor*h.options.initializationTimeout, errNeverReady)
	defer cancel()
	e, err := h.gate.wait(wait)
	if errors.Is(err, errNeverReady) {
		j.giveUp(err)
	}
	return e, err
}

// serveTriggers makes the HTTP server and the listeners for the app's functions.
func (h *Host) serveTriggers() error {
	routes, err := newRoutes(h.functions, h.options.routePrefix)
	if err != nil {
		return err
	}
	if len(routes) > 0 && !h.options.proxying {
		return errors.New("host.json: only customHandler.enableProxyingHttpRequest is supported here, and it is off")
	}
	h.server = &http.Server{
		Handler:                      &httpTrigger{host: h, routes: routes, traced: h.config.traced(), memory: &h.memory},
		ReadHeaderTimeout:            30 * time.Second,
		DisableGeneralOptionsHandler: true, // OPTIONS * has no function
		ErrorLog:                     slog.NewLogLogger(h.config.Logger.Handler(), slog.LevelWarn),
	}
	for _, f := range h.functions {
		var l listener
		switch {
		case f.is("timerTrigger"):
			l, err = newTimerTrigger(h, f)
		case f.is("queueTrigger"):
			l, err = newQueueTrigger(h, f)
		default:
			continue
		}
		if err != nil {
			return fmt.Errorf("%s/function.json: %w", f.name, err)
		}
		h.listeners = append(h.listeners, l)
	}
	return nil
}
