package funchost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	requestGrace   = 30 * time.Second // what running HTTP requests get when the host ends
	callGrace      = 10 * time.Second // what other calls get then, once the listeners have stopped
	notReadyFactor = 4                // a call waits this many initializationTimeouts for a handler
)

// life is one process of the real host from its start to its end: a port, a handler that is restarted a limited number
// of times, an HTTP server, and listeners. The host that embeds it stands for the platform, which starts another.
type life struct {
	host   *Host
	worker *worker
	server *http.Server

	ending        context.Context // done when the host shuts down: connections are refused, requests may end
	end           context.CancelCauseFunc
	listening     context.Context // done when its listeners stop: nothing more is received
	stopListening context.CancelFunc
	calls         context.Context // done when its calls are cut off
	cutCalls      context.CancelFunc
	process       context.Context // done when the handler is killed, or left to itself
	endProcess    context.CancelFunc

	listeners sync.WaitGroup
}

// listener brings the calls of one function, other than HTTP.
type listener interface {
	// run takes new work while l.listening lasts and returns when the calls under way have ended; those end early with
	// l.calls.
	run(l *life)
}

func (h *Host) newLife(port int) *life {
	l := &life{host: h, server: h.newServer(), worker: &worker{
		config: h.config, options: h.options, port: port, gate: h.gate, pid: &h.pid, starts: &h.handlerStarts,
	}}
	l.ending, l.end = context.WithCancelCause(h.stopping)
	l.listening, l.stopListening = context.WithCancel(h.killed)
	l.calls, l.cutCalls = context.WithCancel(h.killed)
	l.process, l.endProcess = context.WithCancel(context.Background())
	return l
}

// errCutOff says that calls were still running when a host's time to end was over.
var errCutOff = errors.New("host did not shutdown within its allotted time")

// live runs one life of the host to its end and says why it ended. It calls ready when the handler has answered for the
// first time and HTTP is served. No goroutine of it is left then, and no handler but one that was abandoned.
func (h *Host) live(ready func()) (cause error, cut error) {
	port, releasePort, err := reservePort()
	if err != nil {
		return err, nil
	}
	defer releasePort()
	l := h.newLife(port)
	h.setLife(l)
	defer h.setLife(nil)

	var worker sync.WaitGroup
	worker.Go(func() {
		orphan, err := l.worker.run(l.process)
		h.adopt(orphan)
		l.end(err)
	})
	served := false
	if _, err := h.gate.wait(l.ending); err == nil {
		if served, err = l.serve(); err != nil {
			l.end(err)
		} else {
			ready()
		}
	}
	cut = l.finish(served)
	worker.Wait()
	return context.Cause(l.ending), cut
}

// serve opens the HTTP server and starts the listeners.
func (l *life) serve() (bool, error) {
	listener, err := net.Listen("tcp", l.host.address)
	if err != nil {
		return false, err
	}
	l.host.requests.Go(func() {
		if err := l.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			l.host.config.Logger.Error("the HTTP server ended", "error", err)
		}
	})
	for _, listener := range l.host.listeners {
		l.listeners.Go(func() { listener.run(l) })
	}
	l.host.config.Logger.Info("Host started")
	return true, nil
}

// finish waits until the host has to end and ends it in the real one's order: connections are refused and requests
// get their time, while the other listeners go on; then these stop and their calls get theirs. Who takes longer is cut
// off, and its handler lives on without a host.
func (l *life) finish(served bool) error {
	<-l.ending.Done()
	scale, log := timeScale(l.host.config.TimeScale), l.host.config.Logger
	var requestsCut error
	if served {
		ctx, cancel := context.WithTimeout(l.host.killed, scale.of(requestGrace))
		requestsCut = l.server.Shutdown(ctx)
		cancel()
	}
	log.Info("Stopping JobHost")
	l.stopListening()
	grace := time.AfterFunc(scale.of(callGrace), l.cutCalls)
	l.listeners.Wait()
	inTime := grace.Stop() && l.calls.Err() == nil
	if inTime {
		log.Info("Job host stopped")
	} else {
		log.Warn("Host did not shutdown within its allotted time.")
		l.worker.abandon.Store(l.host.stopping.Err() == nil) // who stops the program that embeds the host means all of it
	}
	l.cutCalls()
	l.endProcess()
	_ = l.server.Close()
	if inTime && requestsCut == nil {
		return nil
	}
	return errCutOff
}

// crash ends the host as an exception does that nobody handles.
func (l *life) crash(err error) {
	if l.ending.Err() == nil && l.calls.Err() == nil {
		l.host.config.Logger.Error("An unhandled exception has occurred. Host is shutting down.", "exception", err)
		l.end(err)
	}
}

// errNeverReady ends a host.
var errNeverReady = errors.New("a call waited too long for the handler to be ready")

// endpoint waits for a ready handler, at most four times initializationTimeout; then the host ends.
func (h *Host) endpoint(ctx context.Context) (*endpoint, error) {
	h.mu.Lock()
	l := h.life
	h.mu.Unlock()
	wait, cancel := context.WithTimeoutCause(ctx, notReadyFactor*h.options.initializationTimeout, errNeverReady)
	defer cancel()
	e, err := h.gate.wait(wait)
	if errors.Is(err, errNeverReady) && l != nil {
		l.end(err)
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
	h.newServer = func() *http.Server {
		return &http.Server{
			Handler:                      &httpTrigger{host: h, routes: routes, traced: h.config.traced(), memory: &h.memory},
			ReadHeaderTimeout:            30 * time.Second,
			DisableGeneralOptionsHandler: true, // OPTIONS * has no function
			ErrorLog:                     slog.NewLogLogger(h.config.Logger.Handler(), slog.LevelWarn),
		}
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
