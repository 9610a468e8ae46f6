// Command handler is the Azure Functions custom handler: one program behind all three functions. It reads its settings, opens database and
// storage, ties each function to its room, and serves the host until it is told to stop.
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
)

// startAgain is the exit code with which the host starts the handler again and counts no error. After 0 it never does, and answers each
// call as refused.
const startAgain = 200

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	if err := run(ctx); err != nil {
		functions.NewLogger(os.Stdout, slog.LevelInfo).Error("handler ended", "error", err)
		os.Exit(1)
	}
	if len(terminated) > 0 { // and not Ctrl+C, which ends the host as well
		os.Exit(startAgain)
	}
}

func run(ctx context.Context) error {
	s, err := readSettings()
	if err != nil {
		return err
	}
	log := functions.NewLogger(os.Stdout, s.LogLevel)
	limitMemory(log)
	rooms, err := open(s, log)
	if err != nil {
		return err
	}
	defer rooms.close()
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return serve(ctx, listener, routes(ctx, rooms, log))
}

// stopTime is how long requests may go on after the handler was told to stop. Whatever is not done by then is left to the leases.
const stopTime = 8 * time.Second

// serve answers until ctx ends. There is no limit on a request's whole time, because an upload or a parse may take long; the host's pooled
// connections are closed by the host first.
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
