package funchost

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/proxy"
	"sheetdrop/internal/funchost/internal/timing"
	"sheetdrop/internal/funchost/internal/trigger"
	"sheetdrop/internal/funchost/internal/worker"
)

// startTime is from the end of a host to the start of the handler of the next one: the real host needs 2.7 to 3.5 s
// from its own start to its first answer.
const startTime = 3 * time.Second

// Host runs the app as the platform does: where the real host would end its process, another one starts. Make one with
// Start.
type Host struct {
	config    Config
	settings  app.Settings
	options   app.Options
	functions []app.Function
	listeners []trigger.Listener
	gate      *worker.Gate
	storage   *http.Client // shared by the listeners
	newServer func() *http.Server
	memory    proxy.MemoryAccount

	address        string
	releaseAddress func()

	stopping  context.Context // done when Stop begins
	beginStop context.CancelFunc
	killed    context.Context // done when Stop's time is over
	kill      context.CancelFunc

	mu      sync.Mutex
	life    *life // nil between two
	orphans []*worker.Process

	ended    chan struct{} // closed when no life is left, and none will come
	cut      error         // of the last life; to be read after that
	stop     sync.Once
	requests sync.WaitGroup // HTTP servers and their running requests

	pid, handlerStarts, restarts atomic.Int64
}

// Start serves the app. It returns when the handler has answered GET / for the first time, or with an error that says
// why the app cannot be served; nothing runs then. ctx bounds the start alone: end the host with Stop.
func Start(ctx context.Context, cfg Config) (*Host, error) {
	h, err := load(cfg)
	if err != nil {
		return nil, fmt.Errorf("functions host: %w", err)
	}
	if h.address, h.releaseAddress, err = worker.ReserveAddress(h.config.Addr); err != nil {
		return nil, fmt.Errorf("functions host: %w", err)
	}
	first := make(chan error, 1)
	go h.supervise(first)
	select {
	case err = <-first:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		h.kill()
		h.beginStop()
		<-h.ended
		h.releaseAddress()
		return nil, fmt.Errorf("functions host: %w", err)
	}
	return h, nil
}

// load reads the app without starting anything.
func load(cfg Config) (*Host, error) {
	c, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	options, err := app.ReadOptions(c.source())
	if err != nil {
		return nil, err
	}
	functions, err := app.ReadFunctions(c.source())
	if err != nil {
		return nil, err
	}
	h := &Host{
		config: c, settings: c.Settings, options: options, functions: functions, gate: worker.NewGate(),
		storage: &http.Client{Transport: worker.NewTransport()}, ended: make(chan struct{}),
	}
	h.killed, h.kill = context.WithCancel(context.Background())
	h.stopping, h.beginStop = context.WithCancel(h.killed)
	return h, h.serveTriggers()
}

// URL is where HTTP functions are served, without the route prefix. It stays the same when the host starts again.
func (h *Host) URL() string { return "http://" + h.address }

// HandlerPID is the process id of the handler, 0 while it is down.
func (h *Host) HandlerPID() int { return int(h.pid.Load()) }

// Memory returns the account of the real host's memory.
func (h *Host) Memory() Memory { return h.memory.Memory() }

// Stats returns the counters.
func (h *Host) Stats() Stats {
	return Stats{HandlerStarts: int(h.handlerStarts.Load()), Restarts: int(h.restarts.Load())}
}

// Stop ends the host as SIGTERM ends the real one: it refuses connections, lets running requests end for thirty
// seconds, then stops the listeners and lets their calls end for ten (scaled; less when ctx ends), and kills the
// handler. When it returns no process and no goroutine of the host is left. The error says that calls were cut off.
// Further calls of Stop wait for the first and return nil.
func (h *Host) Stop(ctx context.Context) error {
	var err error
	h.stop.Do(func() {
		defer context.AfterFunc(ctx, h.kill)()
		h.beginStop()
		<-h.ended
		h.kill()
		if h.cut != nil {
			err = fmt.Errorf("running calls were cut off: %w", h.cut)
		}
		for _, orphan := range h.orphans {
			orphan.Kill()
		}
		h.storage.CloseIdleConnections()
		h.releaseAddress()
	})
	<-h.ended
	h.requests.Wait()
	return err
}

// supervise runs one life of the host after the other until Stop, as the platform starts another host when one has
// ended. The first one reports to first when its handler is ready, or why it never will be.
func (h *Host) supervise(first chan<- error) {
	defer close(h.ended)
	for n := 0; h.stopping.Err() == nil; n++ {
		ready := false
		cause, cut := h.live(func() {
			ready = true
			if n == 0 {
				first <- nil
			}
		})
		switch {
		case h.stopping.Err() != nil:
			h.cut = cut
			return
		case n == 0 && !ready:
			first <- cause
			return
		}
		h.config.Logger.Error("the host has ended and starts again", "cause", cause)
		timing.Sleep(h.stopping, h.scale().Of(startTime))
		h.restarts.Add(1)
	}
}

func (h *Host) scale() timing.Scale { return timing.Scale(h.config.TimeScale) }

func (h *Host) setLife(l *life) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.life = l
}

// adopt keeps a process that a life has abandoned. It is killed when the host stops, if it is still there.
func (h *Host) adopt(orphan *worker.Process) {
	if orphan == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.orphans = append(h.orphans, orphan)
}
