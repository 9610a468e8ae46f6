// Command handler is the Azure Functions custom handler: one program behind all functions. It reads its settings,
// opens database and storage, connects each function with its service, and serves the host until it is told to stop.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"sheetdrop/functions"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/tracing"
	"sheetdrop/internal/tracing/export"
)

// startAgain is the exit code after which the host starts the handler again and counts no error. After 0 it never does,
// and fails every call.
const startAgain = 200

func main() {
	log := functions.NewLogger(os.Stdout, slog.LevelInfo)
	if len(os.Args) == 2 && os.Args[1] == checkArgument {
		if err := checkSettings(os.Stdout); err != nil {
			log.Error("settings not checked", "error", err)
			os.Exit(1)
		}
		return
	}
	signal.Ignore(syscall.SIGPIPE) // the log's reader exits with the host; the first line after that must not kill this process
	ctx, stop := signal.NotifyContext(hostContext(log), os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	if err := run(ctx); err != nil {
		log.Error("handler ended", "error", err)
		os.Exit(1)
	}
	if len(terminated) > 0 { // and not Ctrl+C, which also ends the host
		os.Exit(startAgain)
	}
}

// hostContext is cancelled when the process that started this one exits. A host that is killed, or exits before it has
// stopped everything, does not stop its handler: the handler would go on as an orphan that holds its tasks and its
// port.
func hostContext(log *slog.Logger) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	parent := os.Getppid()
	go func() {
		waitForParentExit(parent)
		log.WarnContext(ctx, "the host process is gone: stopping")
		cancel()
	}()
	return ctx
}

func run(ctx context.Context) error {
	s, err := readSettings()
	if err != nil {
		return err
	}
	log := slog.New(tracing.Log(functions.NewLogger(os.Stdout, s.LogLevel).Handler()))
	limitMemory(log)
	if s.PprofPort > 0 {
		address, stop, err := serveProfiles(s.PprofPort)
		if err != nil {
			return err
		}
		defer stop() //nolint:errcheck // the process ends
		log.Warn("profiles are served", "address", address)
	}
	export.LogErrors(log)
	if s.recorder, err = metrics.Open(ctx, s.Metrics); err != nil {
		return err
	}
	defer s.recorder.Close(ctx)
	if page := s.recorder.Page(); page != nil {
		address, stop, err := serveMetrics(ctx, s.Metrics.Port, page, log)
		if err != nil {
			return err
		}
		defer stop() //nolint:errcheck // the process ends
		log.Info("metrics are served", "address", address)
	}
	services, err := open(s, log)
	if err != nil {
		return err
	}
	defer services.close()
	listener, err := listen(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)), portTime, log)
	if err != nil {
		return err
	}
	ctx, handler := stopUnlessCalled(ctx, routes(ctx, services, log), firstCallTime, log)
	return serve(ctx, listener, handler)
}

const (
	// stopTime is how long requests may continue after the handler was told to stop. Unfinished work is left to its
	// leases, which expire.
	stopTime = 8 * time.Second

	// portTime is how long the port may be in use at the start: an orphaned handler exits within it, and the host waits
	// twice as long.
	portTime = stopTime + 7*time.Second

	// firstCallTime is how long the handler waits for the first call. The host polls every 25 ms whether the handler is
	// ready, for 30 s unless host.json says more.
	firstCallTime = time.Minute
)

// stopUnlessCalled returns a handler, and a context that is cancelled if the handler is not called within limit: its
// host then died before hostContext could look up its parent, and hostContext watches the wrong process.
func stopUnlessCalled(ctx context.Context, next http.Handler, limit time.Duration, log *slog.Logger) (context.Context, http.Handler) {
	ctx, cancel := context.WithCancel(ctx)
	silence := time.AfterFunc(limit, func() {
		log.WarnContext(ctx, "nobody has called, so there is no host: stopping")
		cancel()
	})
	return ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		silence.Stop()
		next.ServeHTTP(w, r)
	})
}

// listen opens the port as soon as it is free. Exiting at once instead would make the host exit too, after three starts
// in a row.
func listen(ctx context.Context, address string, limit time.Duration, log *slog.Logger) (net.Listener, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for first := true; ; first = false {
		listener, err := net.Listen("tcp", address)
		if err == nil {
			return listener, nil
		}
		if first {
			log.WarnContext(ctx, "the port cannot be used yet", "error", err.Error())
		}
		select {
		case <-limited.Done():
			return nil, fmt.Errorf("listen, tried for %s: %w", limit, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// serve serves until ctx ends. A request has no total timeout, because an upload or a parse may take long; pooled
// connections of the host are closed by the host first.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 3 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := server.Shutdown(stopCtx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}
