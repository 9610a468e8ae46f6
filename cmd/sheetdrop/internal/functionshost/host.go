// Package functionshost runs the handler under a Functions host on this machine: Microsoft's `func` if one is installed that is new enough,
// else the small one of package funchost.
package functionshost

import (
	"context"
	"io"
	"log/slog"
	"os"

	"sheetdrop/internal/funchost"
)

// Host is a running Functions host with the handler.
type Host interface {
	// URL is where HTTP functions are served, without /api.
	URL() string
	// PIDs are the process ids of the handler's parent and of the handler; 0 while unknown.
	PIDs() (host, handler int)
	// Ended is closed when the host has ended by itself.
	Ended() <-chan struct{}
	// Stop ends host and handler, gently until ctx ends.
	Stop(ctx context.Context) error
}

// Config says what to serve.
type Config struct {
	Root           string            // the folder of host.json
	Handler        string            // the program
	Settings       map[string]string // the handler's environment besides that of this process
	Address        string            // host:port
	Log            io.Writer         // receives the output of host and handler
	OnHandlerStart func(pid int)     // is called after each start of the handler
}

// Start starts a host. progress is called with a line that says which.
func Start(ctx context.Context, progress func(format string, args ...any), config Config) (Host, error) {
	path, reason := findFunc(ctx, versionTimeout)
	if path != "" {
		progress("starting the Functions host: func (%s)", path)
		return startCoreTools(path, config)
	}
	progress("starting the Functions host: the built-in one, as %s", reason)
	h, err := funchost.Start(ctx, funchost.Config{
		Root: config.Root, Executable: config.Handler, Settings: config.Settings, Addr: config.Address,
		Logger: slog.New(slog.NewJSONHandler(config.Log, nil)), HandlerOutput: config.Log, OnHandlerStart: config.OnHandlerStart,
	})
	if err != nil {
		return nil, err
	}
	return builtInHost{h}, nil
}

// builtInHost runs in this process, and never ends by itself.
type builtInHost struct{ *funchost.Host }

func (h builtInHost) PIDs() (host, handler int) { return os.Getpid(), h.HandlerPID() }

func (builtInHost) Ended() <-chan struct{} { return nil }
