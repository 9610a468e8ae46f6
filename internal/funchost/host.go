package funchost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	stopGrace       = 10 * time.Second // what running calls get when listeners stop
	notReadyFactor  = 4                // a call waits this many initializationTimeouts for a handler
	fruitlessRepeat = time.Second      // pause before replacing a job host whose handler never got ready
)

// Host is a running Functions host. Make one with Start.
type Host struct {
	config    Config
	options   hostOptions
	functions []function
	listeners []listener
	gate      *gate
	storage   *http.Client // shared by the listeners
	server    *http.Server
	memory    hostMemory
	address   string

	listening     context.Context // ends when Stop begins: no new calls
	stopListening context.CancelFunc
	life          context.Context // ends when Stop gives running calls up
	endLife       context.CancelFunc

	mu  sync.Mutex
	job *jobHost

	stop     sync.Once
	drained  chan struct{}  // closed when, stopping, the listeners' calls are done
	ended    chan struct{}  // closed when the handler is gone for good
	requests sync.WaitGroup // the HTTP listener and its running requests

	pid, handlerStarts, jobHostRestarts atomic.Int64
}

// Start serves the app. It returns when the handler has answered GET / for the first time, or with an error that says
// why the app cannot be served; nothing runs then. ctx bounds the start alone: end the host with Stop.
func Start(ctx context.Context, cfg Config) (*Host, error) {
	h, err := load(cfg)
	if err != nil {
		return nil, fmt.Errorf("functions host: %w", err)
	}
	listener, err := net.Listen("tcp", h.config.Addr)
	if err != nil {
		return nil, fmt.Errorf("functions host: %w", err)
	}
	h.address = listener.Addr().String()

	first := make(chan error, 1)
	go h.supervise(first)
	select {
	case err = <-first:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		h.endLife()
		<-h.ended
		_ = listener.Close()
		return nil, fmt.Errorf("functions host: %w", err)
	}
	h.requests.Go(func() {
		if err := h.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			h.config.Logger.Error("the HTTP listener ended", "error", err)
		}
	})
	return h, nil
}

// load reads the app without starting anything.
func load(cfg Config) (*Host, error) {
	c, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	options, err := readHostOptions(c)
	if err != nil {
		return nil, err
	}
	functions, err := readFunctions(c)
	if err != nil {
		return nil, err
	}
	h := &Host{
		config: c, options: options, functions: functions, gate: newGate(), storage: &http.Client{Transport: newTransport(dial)},
		drained: make(chan struct{}), ended: make(chan struct{}),
	}
	h.life, h.endLife = context.WithCancel(context.Background())
	h.listening, h.stopListening = context.WithCancel(h.life)
	return h, h.serveTriggers()
}

// URL is where HTTP functions are served, without the route prefix.
func (h *Host) URL() string { return "http://" + h.address }

// HandlerPID is the process id of the handler, 0 while it is down.
func (h *Host) HandlerPID() int { return int(h.pid.Load()) }

// Stats returns the counters.
func (h *Host) Stats() Stats {
	return Stats{HandlerStarts: int(h.handlerStarts.Load()), JobHostRestarts: int(h.jobHostRestarts.Load())}
}

// Stop stops the listeners, gives running calls ten seconds (scaled; less when ctx ends) and kills the handler. When it
// returns no process and no goroutine of the host is left. The error says that calls were cut off. Further calls of
// Stop wait for the first and return nil.
func (h *Host) Stop(ctx context.Context) error {
	var err error
	h.stop.Do(func() { err = h.shutdown(ctx) })
	<-h.ended
	h.requests.Wait()
	return err
}

func (h *Host) shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeScale(h.config.TimeScale).of(stopGrace))
	defer cancel()
	defer h.endLife()
	h.stopListening()
	err := h.server.Shutdown(ctx)
	select {
	case <-h.drained:
	case <-h.ended:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("running calls were cut off: %w", err), h.server.Close())
	}
	return nil
}

// supervise runs one job host after the other until Stop, as the platform replaces a host that has ended. The first one
// reports to first when its handler is ready, or why it never will be.
func (h *Host) supervise(first chan<- error) {
	defer close(h.ended)
	defer h.storage.CloseIdleConnections()
	for n := 0; h.listening.Err() == nil; n++ {
		ready := false
		err := h.runJobHost(func() {
			ready = true
			if n == 0 {
				first <- nil
			}
		})
		switch {
		case h.listening.Err() != nil:
			return
		case n == 0 && !ready:
			first <- err
			return
		}
		h.jobHostRestarts.Add(1)
		h.config.Logger.Error("a new job host replaces one that gave up", "cause", err)
		if !ready { // a handler that is broken for good must not keep the machine busy
			sleep(h.listening, timeScale(h.config.TimeScale).of(fruitlessRepeat))
		}
	}
}
