package funchost

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"sheetdrop/internal/funchost/internal/worker"
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
	worker *worker.Worker
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

func (h *Host) newLife(port int) *life {
	l := &life{host: h, server: h.newServer(), worker: &worker.Worker{
		Config: h.workerConfig(), Port: port, Gate: h.gate, PID: &h.pid, Starts: &h.handlerStarts,
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
	port, releasePort, err := worker.ReservePort()
	if err != nil {
		return err, nil
	}
	defer releasePort()
	l := h.newLife(port)
	h.setLife(l)
	defer h.setLife(nil)

	var running sync.WaitGroup
	running.Go(func() {
		orphan, err := l.worker.Run(l.process)
		h.adopt(orphan)
		l.end(err)
	})
	served := false
	if _, err := h.gate.Wait(l.ending); err == nil {
		if served, err = l.serve(); err != nil {
			l.end(err)
		} else {
			ready()
		}
	}
	cut = l.finish(served)
	running.Wait()
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
		l.listeners.Go(func() { listener.Run(l.seenByListeners()) })
	}
	l.host.config.Logger.Info("Host started")
	return true, nil
}

// finish waits until the host has to end and ends it in the real one's order: connections are refused and requests
// get their time, while the other listeners go on; then these stop and their calls get theirs. Calls that take longer are cut
// off, and their handler lives on without a host.
func (l *life) finish(served bool) error {
	<-l.ending.Done()
	scale, log := l.host.scale(), l.host.config.Logger
	var requestsCut error
	if served {
		ctx, cancel := context.WithTimeout(l.host.killed, scale.Of(requestGrace))
		requestsCut = l.server.Shutdown(ctx)
		cancel()
	}
	log.Info("Stopping JobHost")
	l.stopListening()
	grace := time.AfterFunc(scale.Of(callGrace), l.cutCalls)
	l.listeners.Wait()
	inTime := grace.Stop() && l.calls.Err() == nil
	if inTime {
		log.Info("Job host stopped")
	} else {
		log.Warn("Host did not shutdown within its allotted time.")
		if l.host.stopping.Err() == nil { // Stop ends the handler, too
			l.worker.Abandon()
		}
	}
	l.cutCalls()
	l.endProcess()
	_ = l.server.Close()
	if inTime && requestsCut == nil {
		return nil
	}
	return errCutOff
}

// crash ends the host as an unhandled exception does.
func (l *life) crash(err error) {
	if l.ending.Err() == nil && l.calls.Err() == nil {
		l.host.config.Logger.Error("An unhandled exception has occurred. Host is shutting down.", "exception", err)
		l.end(err)
	}
}

// errNeverReady ends a host.
var errNeverReady = errors.New("a call waited too long for the handler to be ready")

// endpoint waits for a ready handler, at most four times initializationTimeout; then the host ends.
func (h *Host) endpoint(ctx context.Context) (*worker.Endpoint, error) {
	h.mu.Lock()
	l := h.life
	h.mu.Unlock()
	wait, cancel := context.WithTimeoutCause(ctx, notReadyFactor*h.options.InitializationTimeout, errNeverReady)
	defer cancel()
	e, err := h.gate.Wait(wait)
	if errors.Is(err, errNeverReady) && l != nil {
		l.end(err)
	}
	return e, err
}
