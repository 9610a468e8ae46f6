package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"

	"sheetdrop/internal/funchost"
)

// host is a running Functions host with our handler.
type host interface {
	// URL is where HTTP functions are served, without /api.
	URL() string
	// PIDs are the process ids of the handler and of its parent; 0 while unknown.
	PIDs() (host, handler int)
	// Ended is closed when the host has ended by itself.
	Ended() <-chan struct{}
	Stop(ctx context.Context) error
}

// hostConfig says what to serve.
type hostConfig struct {
	root      string            // the folder of host.json
	handler   string            // the program
	settings  map[string]string // become the handler's environment
	addr      string
	log       io.Writer     // gets what host and handler say
	onHandler func(pid int) // is called at each start of the handler
}

// startHost serves with Microsoft's `func` if one is installed that is new enough, else with our own small host.
func startHost(ctx context.Context, c *console, config hostConfig) (host, error) {
	path, reason := findFunc(ctx, versionTime)
	if path != "" {
		c.step("starting the Functions host: func (%s)", path)
		return startCoreTools(path, config)
	}
	c.step("starting the Functions host: the built-in one, as %s", reason)
	h, err := funchost.Start(ctx, funchost.Config{
		Root: config.root, Executable: config.handler, Settings: config.settings, Addr: config.addr,
		Logger: slog.New(slog.NewTextHandler(config.log, nil)), HandlerOutput: config.log, OnHandlerStart: config.onHandler,
	})
	if err != nil {
		return nil, err
	}
	return builtInHost{h}, nil
}

// builtInHost is part of this process.
type builtInHost struct{ *funchost.Host }

func (h builtInHost) PIDs() (host, handler int) { return os.Getpid(), h.HandlerPID() }

func (builtInHost) Ended() <-chan struct{} { return nil }

// hostAddress is the address of that port on this machine. Without one it is that of `func`, or any other that is free, which is said: the
// addresses of the documentation then lead to somebody else.
func hostAddress(c *console, port int) (string, error) {
	if port != 0 {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), nil
	}
	const usual = "127.0.0.1:7071"
	if listener, err := net.Listen("tcp", usual); err == nil {
		return usual, listener.Close()
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("no port is free: %w", err)
	}
	c.step("%s is taken by another program: the API is served at %s", usual, listener.Addr())
	return listener.Addr().String(), listener.Close()
}
